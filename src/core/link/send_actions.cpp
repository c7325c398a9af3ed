// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/send_actions.h"

#include <cstddef>
#include <cstdint>

#include "base/list.h"
#include "core/link/link.h"
#include "core/link/recalls.h"
#include "core/match/endpoint_state.h"
#include "core/match/multi_frames.h"
#include "core/match/transfers.h"
#include "core/onesided/accesses.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"

namespace ucxx::core {

void startSend(Operation& op) {
  if (op.endpoint->isOver()) return complete(op, op.endpoint->overStatus());
  linkOf(endpointOf(op))->send(op);
}

bool withdrawSend(Operation& op) noexcept {
  if (!op.wait_node.linked()) return false;
  linkOf(endpointOf(op))->withdraw(op);
  return true;
}

bool recallSend(Operation& op, ucs_status_t status) noexcept {
  return linkOf(*op.port).recalls().recall(op, status);
}

bool revokeAccess(Operation& op, ucs_status_t status) noexcept {
  return linkOf(*op.port).accesses().revoke(op, status);
}

void sendFrames(Link& link, Operation& op, std::uint32_t sequence) {
  const auto& extra = static_cast<const MultiSendExtra&>(*op.extra);
  for (std::size_t i = 0; i < extra.frames.size(); ++i) {
    const FrameInfo& frame = extra.frames[i];
    if (!frame.packed) link.sendFrame(op, extra.sources[i], frame, frameKey(sequence, i));
  }
}

}  // namespace ucxx::core
