// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/watched_process.h"

#include <csignal>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "local/process.h"
#include "shmem/joining/process_name.h"

namespace ucxx::shmem {
namespace {

constexpr long kPidfdSendSignal = 424;  // older headers lack the name

}  // namespace

WatchedProcess::WatchedProcess(pid_t pid, std::uint64_t start_time) noexcept
    : pidfd_(local::openPidfd(pid)), was_gone_(startTimeOf(pid) != start_time) {}

bool WatchedProcess::hasEnded() const noexcept {
  pollfd wanted{pidfd_.get(), POLLIN, 0};
  return was_gone_ || (pidfd_ && ::poll(&wanted, 1, 0) == 1);
}

void WatchedProcess::end() const noexcept {
  if (pidfd_ && !was_gone_) ::syscall(kPidfdSendSignal, pidfd_.get(), SIGTERM, nullptr, 0);
}

}  // namespace ucxx::shmem
