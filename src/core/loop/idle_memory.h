// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/poller.h"
#include "base/timer_descriptor.h"

namespace ucxx::core {

/// Has a loop give library memory that has rested back to the system. The timer is the process's
/// and lies behind the poller of each loop: all that sleep wake, and the first of them does it.
class IdleMemory final : private base::PollHandler {
 public:
  /// Without a descriptor for the timer it does nothing.
  explicit IdleMemory(base::Poller& poller);
  ~IdleMemory();

 private:
  void onReady(std::uint32_t events) override;

  base::Poller& poller_;
  base::TimerDescriptor* const timer_;
};

}  // namespace ucxx::core
