// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/socket_ends.h"

#include <cstddef>
#include <cstdint>

#include <netinet/in.h>

#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/match/endpoint_state.h"
#include "core/request/endpoint_core.h"
#include "core/wire/reached.h"

namespace ucxx::core {
namespace {

/// The ends of the socket of a link, which several endpoints share.
std::optional<SocketEnds> linkEnds(const Link* link) {
  if (link == nullptr) return std::nullopt;
  if (link->channel != ChannelKind::Ucp) {
    const door::SocketAddress loopback = door::resolve("127.0.0.1", 0, false).front();
    return SocketEnds{loopback, loopback};
  }
  if (link->connection == nullptr) return std::nullopt;
  return SocketEnds{link->connection->localAddress(), link->connection->peerAddress()};
}

void setPort(door::SocketAddress& address, std::uint16_t port) noexcept {
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  if (port != 0) reinterpret_cast<sockaddr_in&>(address.storage).sin_port = htons(port);
}

}  // namespace

std::optional<SocketEnds> socketEnds(const EndpointState& endpoint) {
  std::optional<SocketEnds> ends = linkEnds(linkOf(endpoint));
  if (!ends) return ends;
  const bool is_callers = endpoint.own_opened;
  setPort(is_callers ? ends->local : ends->peer,
          is_callers ? callersPort(endpoint.listener) : endpoint.callers_port);
  setPort(is_callers ? ends->peer : ends->local, endpoint.called_port);
  return ends;
}

}  // namespace ucxx::core
