// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <mutex>

#include <ucxx/condition.h>
#include <ucxx/ucp_condition_types.h>

#include "ucp_c/handle_table.h"

namespace ucxx::ucp_c {

/// What `ucp_create_condition` makes.
struct UcpCondition {
  Condition condition;
  bool caller_progresses = false;
  std::mutex mutex;
  ucp_condition_param_t* unwritten = nullptr;  // the first post of a graph's writes it

  /// The first post with a graph's condition has made its node. A post that comes second does not
  /// come back before the caller's struct is written, whichever of the two writes it.
  void tellNode() noexcept;
};

}  // namespace ucxx::ucp_c
