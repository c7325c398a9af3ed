// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/guard.h"

#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system_error.h"
#include "shmem/oshrun/descendants.h"
#include "shmem/oshrun/messages.h"
#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

class Guard {
 public:
  Guard(Signals& signals, pid_t child, base::FileDescriptor passed)
      : signals_(signals), child_(child), passed_(std::move(passed)) {}

  int run(Descendants& descendants) {
    std::optional<int> end;
    while (!(end = endOfChild())) passOn();
    if (WIFEXITED(*end)) return WEXITSTATUS(*end);
    killAll(descendants);
    std::fputs(
        fmt::format("oshrun: the process of oshrun that ran the job (pid {}) was killed by {}\n",
                    child_, signalText(WTERMSIG(*end)))
            .c_str(),
        stderr);
    return kSignalled + WTERMSIG(*end);
  }

 private:
  /// Others that it had before it became oshrun may end as well.
  std::optional<int> endOfChild() const noexcept {
    int end = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &end, WNOHANG)) > 0;) {
      if (pid == child_) return end;
    }
    return std::nullopt;
  }

  void passOn() {
    waitForSignal(-1);
    for (const int number : signals_.take()) {
      const auto byte = static_cast<unsigned char>(number);
      [[maybe_unused]] const ssize_t written = ::write(passed_.get(), &byte, sizeof byte);
      ::kill(child_, SIGCONT);  // it may be stopped
    }
  }

  void waitForSignal(int milliseconds) const {
    pollfd wanted{signals_.descriptor(), POLLIN, 0};
    ::poll(&wanted, 1, milliseconds);
  }

  /// The PEs die with their parent.
  void killAll(Descendants& descendants) {
    const base::TimePoint end = base::deadlineAfter(Descendants::kToDie);
    while (descendants.areLeft() && base::Clock::now() < end) {
      descendants.signal(SIGKILL, {});
      waitForSignal(10);
      signals_.take();
      for (pid_t pid = 0; (pid = ::waitpid(-1, nullptr, WNOHANG)) > 0;) descendants.forget(pid);
    }
  }

  Signals& signals_;
  const pid_t child_;
  const base::FileDescriptor passed_;
};

}  // namespace

int guard(Signals& signals, const std::function<int(GuardLink)>& run_job) {
  Descendants descendants;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) base::throwErrno(errno, "pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) base::throwErrno(errno, "fork");
  ::close(ends[child == 0 ? 1 : 0]);
  if (child == 0) ::prctl(PR_SET_PDEATHSIG, SIGCONT);  // a stopped one sees its guard's end as well
  signals.open();
  if (child == 0) return run_job({base::FileDescriptor(ends[0]), parent});
  return Guard(signals, child, base::FileDescriptor(ends[1])).run(descendants);
}

}  // namespace ucxx::shmem::oshrun
