// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/timer.h"

#include <cerrno>
#include <cstdint>

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/system_error.h"

namespace ucxx::core {

Timer::Timer(base::Poller& poller)
    : poller_(poller), timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  if (!timer_) base::throwErrno(errno, "create the timer of a worker");
  poller_.add(timer_.get(), EPOLLIN, *this);
}

Timer::~Timer() { poller_.remove(timer_.get(), *this); }

void Timer::set(base::TimePoint when) noexcept {
  if (when == when_) return;
  when_ = when;
  itimerspec spec{};
  if (when != base::TimePoint::max()) {
    const auto since_boot = std::chrono::nanoseconds(when.time_since_epoch()).count();
    spec.it_value.tv_sec = since_boot / 1'000'000'000;
    spec.it_value.tv_nsec = since_boot % 1'000'000'000;
    if (since_boot <= 0) spec.it_value = {0, 1};
  }
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &spec, nullptr);
}

void Timer::onReady(std::uint32_t) {
  std::uint64_t expirations = 0;
  [[maybe_unused]] const ssize_t got = ::read(timer_.get(), &expirations, sizeof expirations);
  when_ = base::TimePoint::max();
}

}  // namespace ucxx::core
