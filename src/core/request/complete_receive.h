// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/loop/loop.h"
#include "core/request/endpoint_core.h"
#include "core/request/history.h"
#include "core/request/operation.h"
#include "core/request/outcome.h"
#include "core/request/requests.h"

namespace ucxx::core {

/// What is left to do for `op`, whose end was published, or is not wanted.
void settle(Operation& op, Outcome::Left left) noexcept;

/// Into the history of its loop: with the tag and the length of what came, or of what was asked
/// for.
[[gnu::always_inline]] inline void noteEnd(const Operation& op, std::uint64_t tag,
                                           std::size_t length) noexcept {
  requestsOf(*op.loop).history.add({.tag = tag,
                                    .endpoint = op.endpoint != nullptr ? op.endpoint->key : 0,
                                    .length = length,
                                    .kind = op.kind,
                                    .status = op.result,
                                    .since = op.since,
                                    .until = op.loop->now()});
}

/// `complete` with success, in line, of a receive that has waited and has all its bytes.
[[gnu::always_inline]] inline void completeReceive(Operation& op) noexcept {
  if (op.callback || op.callback_data != nullptr || op.armed != nullptr) [[unlikely]]
    return complete(op, UCS_OK);
  Loop& loop = *op.loop;
  op.stage = Stage::Ended;
  op.result = UCS_OK;
  Requests::forget(op);
  noteEnd(op, op.sender_tag, op.received);
  const Outcome::Left left =
      loop.options.single_thread ? op.outcome.endAlone(UCS_OK) : op.outcome.end(UCS_OK);
  if (left != Outcome::Left::Others) settle(op, left);
}

}  // namespace ucxx::core
