// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/typedefs.h>

#include "core/condition/condition_state.h"
#include "core/loop/loop.h"
#include "core/request/operation.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"

namespace ucxx::core {

/// Posts `op`, which starts at once, or when `condition` is triggered.
inline void submit(Loop& loop, Operation& op, ConditionState* condition) {
  if (condition == nullptr) [[likely]]
    return requestsOf(loop).submit(op);
  condition->post(loop, op);
}

/// How an operation is posted, whatever it is: what is called at its end, which `makeRequest`
/// takes, and what it waits for.
struct Posting {
  RequestCallbackUserFunction& callback;
  RequestCallbackUserData& data;
  ConditionState* condition = nullptr;  // null: it starts at once

  void submit(Loop& loop, Operation& op) const { core::submit(loop, op, condition); }
};

/// The posting of a transfer without a callback. It lives until the end of the statement that makes
/// it, as what `Posting` refers to must.
struct NoCallback {
  RequestCallbackUserFunction callback;
  RequestCallbackUserData data;
  operator Posting() noexcept { return {callback, data}; }
};

inline void setTagReceive(Operation& op, void* buffer, std::size_t length, Tag tag, TagMask mask) {
  op.buffer = buffer;
  op.length = length;
  op.tag = tag;
  op.mask = mask;
}

}  // namespace ucxx::core
