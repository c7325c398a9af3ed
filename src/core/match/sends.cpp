// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What a send is made of.

#include <algorithm>
#include <vector>

#include "core/match/transfers.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/wire/wire.h"

namespace ucxx::core {

const std::vector<ucp_dt_iov_t>* iovOf(const Operation& op) noexcept {
  const bool may = op.kind == OperationKind::AmSend || op.kind == OperationKind::TagSend;
  if (!may || op.extra == nullptr) return nullptr;
  const auto& iov = static_cast<const GatherExtra&>(*op.extra).iov;
  return iov.empty() ? nullptr : &iov;
}

std::size_t prologueBytesOf(const Operation& op) noexcept {
  if (op.kind != OperationKind::AmSend) return 0;
  return prologueBytes(static_cast<const AmSendExtra&>(*op.extra).prologue);
}

bool isContiguous(const Operation& op) noexcept {
  return op.kind != OperationKind::StreamSend && iovOf(op) == nullptr;
}

bool hasFramesApart(const Operation& op) noexcept {
  if (op.kind != OperationKind::MultiSend) return false;
  const auto& frames = static_cast<const MultiSendExtra&>(*op.extra).frames;
  return std::any_of(frames.begin(), frames.end(),
                     [](const FrameInfo& frame) { return !frame.packed; });
}

bool comesFromDevice(const Operation& op) noexcept {
  if (op.kind != OperationKind::MultiSend) return op.on_device;
  const auto& frames = static_cast<const MultiSendExtra&>(*op.extra).frames;
  return std::any_of(frames.begin(), frames.end(),
                     [](const FrameInfo& frame) { return frame.cuda; });
}

}  // namespace ucxx::core
