// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <deque>
#include <string>

#include "base/poller.h"
#include "shmem/oshrun/ending.h"
#include "shmem/oshrun/guard.h"
#include "shmem/oshrun/options.h"
#include "shmem/oshrun/outcome.h"
#include "shmem/oshrun/outputs.h"
#include "shmem/oshrun/pe.h"
#include "shmem/oshrun/reception.h"
#include "shmem/oshrun/signals.h"
#include "shmem/oshrun/spawn.h"
#include "shmem/oshrun/watch.h"

namespace ucxx::shmem::oshrun {

/// The PEs from their start to the end of everything that they have started. One thread.
class Job {
 public:
  Job(const Options& options, GuardLink guard, Signals& signals, Spawner& spawner);

  /// The exit status of oshrun.
  int run();

 private:
  void start();
  void describe();
  void reportBindings();
  void warn(const std::string& text);
  void startPe(int number);
  void onMail(Pe& pe);
  void onNews(Pe& pe, const News& news);
  void onGuard();
  void onSignals();
  void hear(int number);
  void reap();
  void onChange(Pe& pe, int change);
  void onEnd(Pe& pe, int end);
  void hearAll();
  void waitForGuard();
  base::TimePoint next() const noexcept;
  void onTime();
  bool isOver();

  const Options& options_;
  const GuardLink guard_;
  Signals& signals_;
  Spawner& spawner_;
  base::Poller poller_;
  Pes pes_;
  Outputs outputs_;
  Reception reception_;
  Ending ending_;
  Outcome outcome_;
  Watch guard_watch_, signal_watch_;
  std::deque<Watch> mail_watches_;  ///< by PE
  int heard_ = 0;                   ///< the last signal, and until when it is still the same
  base::TimePoint heard_until_{};
  bool is_finished_ = false;
};

}  // namespace ucxx::shmem::oshrun
