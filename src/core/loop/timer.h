// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/clock.h"
#include "base/poller.h"
#include "base/timer_descriptor.h"
#include "core/loop/wake.h"

namespace ucxx::core {

/// The alarm clock of a loop that sleeps: a timerfd behind its poller, so that even a foreign event
/// loop that waits for the worker's descriptor wakes in time. It only wakes: what is due is done by
/// `Loop::lookAtDescriptors`.
class Timer final : private base::PollHandler {
 public:
  Timer(base::Poller& poller, const Wake& wake);
  ~Timer();

  /// Wakes at `when`; `TimePoint::max()`: never. Cheap when nothing changes.
  void set(base::TimePoint when) noexcept;

 private:
  void onReady(std::uint32_t events) override;

  base::Poller& poller_;
  const Wake& wake_;
  base::TimerDescriptor timer_;
  base::TimePoint when_ = base::TimePoint::max();
};

}  // namespace ucxx::core
