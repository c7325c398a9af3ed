// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/guard.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system_error.h"
#include "shmem/oshrun/descendants.h"
#include "shmem/oshrun/messages.h"
#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

/// A process that does not even die of SIGKILL is in the kernel's hands.
constexpr auto kPatience = std::chrono::seconds(10);

class Guard {
 public:
  Guard(Signals& signals, pid_t child, base::FileDescriptor orders)
      : signals_(signals), child_(child), orders_(std::move(orders)) {}

  int run(Descendants& descendants) {
    int end = 0;
    while (!hasEnded(end)) passOn();
    if (WIFEXITED(end)) return WEXITSTATUS(end);
    killAll(descendants);
    std::fputs(fmt::format("oshrun: the process that ran the job (pid {}) was killed by {}\n",
                           child_, signalText(WTERMSIG(end)))
                   .c_str(),
               stderr);
    return kSignalled + WTERMSIG(end);
  }

 private:
  /// Others that it had before it became oshrun may end as well.
  bool hasEnded(int& end) {
    int one = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &one, WNOHANG)) > 0;) {
      if (pid != child_) continue;
      end = one;
      return true;
    }
    return false;
  }

  void passOn() {
    waitForSignal(-1);
    for (const int number : signals_.take()) {
      const auto order = static_cast<unsigned char>(number);
      [[maybe_unused]] const ssize_t written = ::write(orders_.get(), &order, sizeof order);
    }
  }

  void waitForSignal(int milliseconds) const {
    pollfd wanted{signals_.descriptor(), POLLIN, 0};
    ::poll(&wanted, 1, milliseconds);
  }

  /// The PEs die with their parent.
  void killAll(Descendants& descendants) {
    const base::TimePoint end = base::deadlineAfter(kPatience);
    while (descendants.areLeft() && base::Clock::now() < end) {
      descendants.signal(SIGKILL, {});
      waitForSignal(10);
      signals_.take();
      for (pid_t pid = 0; (pid = ::waitpid(-1, nullptr, WNOHANG)) > 0;) descendants.forget(pid);
    }
  }

  Signals& signals_;
  const pid_t child_;
  const base::FileDescriptor orders_;
};

}  // namespace

int guard(Signals& signals, const std::function<int(Orders)>& run_job) {
  Descendants descendants;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) base::throwErrno(errno, "pipe");
  const pid_t child = ::fork();
  if (child < 0) base::throwErrno(errno, "fork");
  ::close(ends[child == 0 ? 1 : 0]);
  signals.open();
  if (child == 0) return run_job(Orders(ends[0]));
  return Guard(signals, child, base::FileDescriptor(ends[1])).run(descendants);
}

}  // namespace ucxx::shmem::oshrun
