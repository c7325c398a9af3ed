// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/clock.h"
#include "base/file_descriptor.h"

namespace ucxx::base {

/// A timerfd: readable from the moment on that was set, until it is cleared. Any thread.
class TimerDescriptor {
 public:
  /// Throws NO_RESOURCE when there is no descriptor left.
  TimerDescriptor();

  int get() const noexcept { return timer_.get(); }
  /// `TimePoint::max()`: never.
  void set(TimePoint when) noexcept;
  void clear() noexcept;

 private:
  FileDescriptor timer_;
};

}  // namespace ucxx::base
