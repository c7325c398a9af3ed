// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/inlet.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/bulk/assembly.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/credit.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/match/large_frames.h"
#include "core/request/endpoint_core.h"
#include "core/request/handles.h"
#include "core/wire/wire.h"

namespace ucxx::core {
namespace {

ReceiveCredit::Limits creditLimitsOf(const WorkerOptions& options) noexcept {
  // A peer announces one message whatever it is granted (SendCredit::grant).
  return {options.unexpected_bytes, std::max<std::size_t>(options.announcements, 1),
          options.multi_frames};
}

}  // namespace

Inlet::Inlet(Loop& its_loop, ChannelKind its_channel)
    : Port(its_loop, its_channel),
      inlet_number(nextId()),
      receive_credit_(creditLimitsOf(its_loop.options)) {}

void Inlet::returnCredit(std::size_t cost) {
  if (channel == ChannelKind::Self || state != State::Up) return;
  const std::uint64_t bytes = receive_credit_.giveBack(cost);
  if (bytes != 0) sendControl(MessageKind::Credit, bytes);
}

void Inlet::refuse(const Incoming& message) {
  if (message.header.kind == MessageKind::Multi) frames_.refuse(message.header.sequence);
  if (message.announcement) return incoming_.drop(message.announcement);
  if (message.sender != nullptr) return;  // self channel: its sender sees that nobody kept it
  if (message.size < message.header.length) assembly_.begin(message, nullptr, nullptr);
  returnCredit(costOf(message.header.length, message.prologue.size()));
}

void Inlet::sendControl(MessageKind kind, const EndpointState& endpoint, std::uint64_t argument) {
  if (endpoint.own_pair) return;  // it knows
  sendControl(headerFor(kind, endpoint.pairName(), argument, 0));
}

}  // namespace ucxx::core
