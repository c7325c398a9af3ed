// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "tools/perftest/control.h"
#include "tools/perftest/cuda_memory.h"
#include "tools/perftest/options.h"
#include "tools/perftest/session.h"

namespace ucxx::tools {

/// One side of the measured pairs: a session for each of `Options::threads`. The first is the
/// calling thread's; each other has a thread of its own, which makes it, moves it between the jobs
/// and ends it. Used by the thread that made it.
class Crew {
 public:
  using Job = std::function<void(Session&, std::size_t number)>;

  Crew(Control& control, const Options& options);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  Session& first() noexcept { return first_; }
  std::size_t size() const noexcept { return members_.size() + 1; }
  /// Runs `job` in all threads at once, with their sessions, and waits for all. Throws what failed
  /// first: the others end their waits then, and this is of no use any more.
  void run(const Job& job);

 private:
  /// Counts what has not been taken.
  class Event {
   public:
    Event();
    void signal() const;
    void take() const;
    int fd() const noexcept { return fd_.get(); }

   private:
    Descriptor fd_;
  };
  struct Member;

  void end() noexcept;
  void work(const Member& member);
  void perform(const std::function<void()>& part) noexcept;

  const Options& options_;
  const std::shared_ptr<const Cuda> cuda_;  // null: host memory only
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;  // the first; guarded by `mutex_`
  const Job* job_ = nullptr;    // null: the members end
  const Event done_;
  Session first_;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace ucxx::tools
