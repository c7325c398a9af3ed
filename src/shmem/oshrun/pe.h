// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <deque>
#include <optional>

#include <sys/types.h>

#include "base/clock.h"
#include "base/file_descriptor.h"

namespace ucxx::shmem::oshrun {

/// A PE, as oshrun sees it.
struct Pe {
  int number = 0;
  pid_t pid = 0;
  base::FileDescriptor socket;  ///< empty when the PE's end is closed
  /// What the PE has given with its hello: oshrun only holds it, so that the PE learns from its
  /// other end when oshrun has ended.
  base::FileDescriptor life;
  bool is_attached = false;                          ///< it has said hello
  std::optional<int> end;                            ///< how it has ended, as waitpid says it
  base::TimePoint stopped = base::TimePoint::max();  ///< since when
  int stop_signal = 0;
  bool stop_told = false;

  bool isStopped() const noexcept { return stopped != base::TimePoint::max(); }
};
using Pes = std::deque<Pe>;

bool hasFailed(int end) noexcept;
/// As a shell gives it: 128 + the number of a signal.
int exitStatus(int end) noexcept;
bool haveAllEnded(const Pes& pes) noexcept;
/// To each that has not ended. A stopped one takes it at once.
void signalAll(const Pes& pes, int number) noexcept;
/// The same, but a stopped one takes it when it goes on.
void passOn(const Pes& pes, int number) noexcept;

}  // namespace ucxx::shmem::oshrun
