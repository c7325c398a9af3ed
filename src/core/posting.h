// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/typedefs.h>

#include "core/condition_state.h"
#include "core/loop.h"
#include "core/operation.h"

namespace ucxx::core {

/// How an operation is posted, whatever it is: what is called at its end, which `makeRequest`
/// takes, and what it waits for.
struct Posting {
  RequestCallbackUserFunction& callback;
  RequestCallbackUserData& data;
  ConditionState* condition = nullptr;  // null: it starts at once

  /// Of one without a callback.
  static Posting plain(ConditionState* condition = nullptr) noexcept {
    static RequestCallbackUserFunction none;
    static constinit RequestCallbackUserData nothing;
    return {none, nothing, condition};
  }

  void submit(Loop& loop, Operation& op) const {
    if (condition == nullptr) [[likely]]
      return loop.submit(op);
    condition->post(loop, op);
  }
};

}  // namespace ucxx::core
