// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/signals.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <span>

#include <sys/signalfd.h>
#include <unistd.h>

#include "base/system_error.h"

namespace ucxx::shmem::oshrun {
namespace {

constexpr int kEndJob[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr int kForPes[] = {SIGUSR1, SIGUSR2};

void setAction(int number, void (*handler)(int)) noexcept {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(number, &action, nullptr);
}

bool isIgnored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void addNotIgnored(std::span<const int> numbers, sigset_t& set) {
  for (const int number : numbers) {
    if (!isIgnored(number)) sigaddset(&set, number);
  }
}

}  // namespace

bool isForPes(int number) noexcept {
  return std::find(std::begin(kForPes), std::end(kForPes), number) != std::end(kForPes);
}

Signals::Signals() : ignored_child_(isIgnored(SIGCHLD)) {
  // Ignored, it would make children vanish without a status.
  setAction(SIGCHLD, SIG_DFL);
  sigemptyset(&waited_);
  sigaddset(&waited_, SIGCHLD);
  addNotIgnored(kEndJob, waited_);
  addNotIgnored(kForPes, waited_);
  sigset_t blocked = waited_;
  sigaddset(&blocked, SIGPIPE);  // a write that fails says so
  sigaddset(&blocked, SIGTTOU);  // the process that runs the job may write to its terminal
  ::sigprocmask(SIG_BLOCK, &blocked, &found_);
}

void Signals::open() {
  descriptor_ = base::FileDescriptor(::signalfd(-1, &waited_, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!descriptor_) base::throwErrno(errno, "signalfd");
}

std::vector<int> Signals::take() {
  std::vector<int> numbers;
  signalfd_siginfo info;
  while (::read(descriptor_.get(), &info, sizeof info) == sizeof info) {
    const int number = static_cast<int>(info.ssi_signo);
    if (number != SIGCHLD) numbers.push_back(number);
  }
  return numbers;
}

void Signals::restore() const noexcept {
  if (ignored_child_) setAction(SIGCHLD, SIG_IGN);
  ::sigprocmask(SIG_SETMASK, &found_, nullptr);
}

}  // namespace ucxx::shmem::oshrun
