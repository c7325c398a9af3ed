// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/clock.h"
#include "core/loop/deadlines.h"

namespace ucxx::core {

class Link;

/// When a link that calls, or waits for its caller, has done so, and will go on.
struct CallTimes {
  explicit CallTimes(Link& link) noexcept;

  base::TimePoint called_at{};
  base::Duration retry_after{};  // the last time
  base::TimePoint retry_at = base::TimePoint::max();
  base::TimePoint give_up_at = base::TimePoint::max();
  Deadline next;  // the earlier one of `retry_at` and `give_up_at`, while the link waits for it
};

}  // namespace ucxx::core
