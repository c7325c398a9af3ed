// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/timer.h"

#include <sys/epoll.h>

namespace ucxx::core {

Timer::Timer(base::Poller& poller, const Wake& wake) : poller_(poller), wake_(wake) {
  poller_.add(timer_.get(), EPOLLIN, *this);
}

Timer::~Timer() { poller_.remove(timer_.get(), *this); }

void Timer::set(base::TimePoint when) noexcept {
  if (when == when_) return;
  when_ = when;
  timer_.set(when);
}

void Timer::onReady(std::uint32_t) {
  if (wake_.hasWaiters()) return;  // it has still to wake them: each sets it anew
  timer_.clear();
  when_ = base::TimePoint::max();
}

}  // namespace ucxx::core
