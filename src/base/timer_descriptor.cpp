// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/timer_descriptor.h"

#include <cerrno>
#include <cstdint>

#include <sys/timerfd.h>
#include <unistd.h>

#include "base/system_error.h"

namespace ucxx::base {
namespace {

FileDescriptor openTimer() {
  requireNotForked();
  const ForkBarrier barrier;
  FileDescriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  if (!timer) throwErrno(errno, "timerfd_create");
  return timer;
}

}  // namespace

TimerDescriptor::TimerDescriptor() : timer_(openTimer()) {}

void TimerDescriptor::set(TimePoint when) noexcept {
  itimerspec spec{};
  if (when != TimePoint::max()) {
    const auto since_boot = std::chrono::nanoseconds(when.time_since_epoch()).count();
    spec.it_value.tv_sec = since_boot / 1'000'000'000;
    spec.it_value.tv_nsec = since_boot % 1'000'000'000;
    if (since_boot <= 0) spec.it_value = {0, 1};
  }
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &spec, nullptr);
}

void TimerDescriptor::clear() noexcept {
  std::uint64_t expirations = 0;
  [[maybe_unused]] const ssize_t got = ::read(timer_.get(), &expirations, sizeof expirations);
}

}  // namespace ucxx::base
