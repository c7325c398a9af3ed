// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>

#include <ucs/type/status.h>

#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {

/// What the rooms above this one do with operations of one kind: the loop, and every room, call up
/// through it. What a kind does not name is as for one that never waits, ends by itself, and has no
/// message; each names how it begins.
struct OperationActions {
  /// The operation is in its list, and Waiting. What throws has begun nothing of it.
  void (*begin)(Operation&) = nullptr;
  /// Takes the operation, which is Waiting, out of wherever it waits. False: it does not wait (any
  /// more).
  bool (*withdraw)(Operation&) noexcept = [](Operation&) noexcept { return false; };
  /// Ends the operation, which is Moving, without its peer. False: it ends by itself.
  bool (*revoke)(Operation&, ucs_status_t) noexcept = [](Operation&, ucs_status_t) noexcept {
    return false;
  };
  /// Ends the operation, which is Moving, if its peer has not begun to take it. False: it has not
  /// ended; where only the peer can tell, that is asked.
  bool (*recall)(Operation&, ucs_status_t) noexcept = [](Operation&, ucs_status_t) noexcept {
    return false;
  };
  /// The last part of the operation has ended: all its bytes are there, or will never come.
  void (*ended)(Operation&, ucs_status_t) = complete;
  /// Gives back the message of the operation, which ends with success that nobody wants. False: it
  /// has none, or there is no memory for that.
  bool (*giveBack)(Operation&) noexcept = [](Operation&) noexcept { return false; };
  /// Nobody wants the message of the operation, which is cancelled, any more: it comes no further,
  /// where that is possible. That may end the operation.
  void (*turnBack)(Operation&) noexcept = [](Operation&) noexcept {};
};

/// By kind; `worker` fills it.
extern const std::array<OperationActions, kOperationKinds> kOperationActions;

inline const OperationActions& actionsOf(const Operation& op) noexcept {
  return kOperationActions[static_cast<std::size_t>(op.kind)];
}

}  // namespace ucxx::core
