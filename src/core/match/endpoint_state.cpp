// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/endpoint_state.h"

#include <new>
#include <string_view>

#include "base/list.h"
#include "core/loop/loop.h"
#include "core/match/message.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"

namespace ucxx::core {

EndpointState::EndpointState(Loop& loop_, bool own_opened_)
    : EndpointCore(loop_, own_opened_),
      close_deadline(loop.deadlines, *this, [](EndpointState& it) { it.closeByForce(); }),
      recall{{loop.deadlines, *this, [](EndpointState& it) { it.onRecallUnanswered(); }}, 0},
      connect{{loop.deadlines, *this, [](EndpointState& it) { it.onConnectLate(); }}, {}} {}

void discardMessages(EndpointState& endpoint) noexcept {
  while (Message* message = endpoint.am_messages.popFront()) discard(message);
  while (Message* message = endpoint.am_held.popFront()) discard(message);
  while (Message* message = endpoint.stream_messages.front()) {
    if (message->fetching) return;  // its end comes back to the stream
    endpoint.stream_messages.remove(*message);
    discard(message);
  }
}

void tellWhy(EndpointState& endpoint, std::string_view reason) noexcept try {
  endpoint.reason = reason;
} catch (const std::bad_alloc&) {
}

}  // namespace ucxx::core
