// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Listeners, the requests that reach them, and the worker's own door.

#include "core/meet/listeners.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <ucxx/context.h>
#include <ucxx/exception.h>

#include "base/id128.h"
#include "base/list.h"
#include "base/log.h"
#include "base/status.h"
#include "core/channel/channels.h"
#include "core/link/endpoint_end.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/message.h"
#include "core/meet/links.h"
#include "core/meet/worker_address.h"
#include "core/request/endpoint_core.h"
#include "core/request/handles.h"
#include "core/wire/wire.h"
#include "door/machine_id.h"

namespace ucxx::core {
namespace {

/// What port 0 is made of, without TCP: as many as the kernel would choose from.
constexpr std::uint16_t kFirstFreePort = 49152;
constexpr std::uint64_t kFreePorts = 65536 - kFirstFreePort;

/// Requests that wait for an answer although their peer has gone.
constexpr std::size_t kMostGone = 1 << 12;

std::size_t bytesOf(const MessageList& messages) noexcept {
  std::size_t bytes = 0;
  for (const Message* one = messages.front(); one != nullptr; one = messages.after(*one))
    bytes += heldBy(*one);
  return bytes;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

door::SocketAddress withPort(door::SocketAddress address, std::uint16_t port) noexcept {
  if (address.storage.ss_family == AF_INET)
    reinterpret_cast<sockaddr_in&>(address.storage).sin_port = htons(port);
  else
    reinterpret_cast<sockaddr_in6&>(address.storage).sin6_port = htons(port);
  return address;
}

/// Is interface `name` among UCX's NET_DEVICES ("all", "eth0", "mlx5_0:1", ...)?
bool isWanted(const std::vector<std::string>& devices, const std::string& name) {
  if (devices.empty() || devices.front() == "all") return true;
  return std::find(devices.begin(), devices.end(), name) != devices.end();
}

/// The addresses of the interfaces in `devices` that are up; the loopback's only when there is no
/// other, for on another machine it means something else.
std::vector<door::SocketAddress> interfaceAddresses(const std::vector<std::string>& devices) {
  std::vector<door::SocketAddress> addresses, loopback;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return addresses;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || !(one->ifa_flags & IFF_UP) || !isWanted(devices, one->ifa_name))
      continue;
    door::SocketAddress address;
    const int family = one->ifa_addr->sa_family;
    if (family == AF_INET)
      address.length = sizeof(sockaddr_in);
    else if (family == AF_INET6)
      address.length = sizeof(sockaddr_in6);
    else
      continue;
    std::memcpy(&address.storage, one->ifa_addr, address.length);
    (one->ifa_flags & IFF_LOOPBACK ? loopback : addresses).push_back(address);
  }
  freeifaddrs(list);
  return addresses.empty() ? loopback : addresses;
}

door::SocketAddress listenByTcp(door::Door& door, const std::vector<door::SocketAddress>& addresses,
                                int backlog, std::uint64_t listener) {
  // A wildcard has two addresses; they must share the port.
  const door::SocketAddress bound = door.listen(addresses.front(), listener, backlog);
  for (std::size_t i = 1; i < addresses.size(); ++i) {
    const door::SocketAddress other = withPort(addresses[i], bound.port());
    try {
      door.listen(other, listener, backlog);
    } catch (const Error& error) {
      base::log(LogLevel::Debug, "listener", "not on {}: {}", other.toString(), error.what());
    }
  }
  return bound;
}

}  // namespace

door::SocketAddress Listeners::listen(const std::vector<door::SocketAddress>& addresses,
                                      int backlog, ListenerState listener) {
  try {
    listener.bound = channelsOf(loop_).isLocalOnly()
                         ? listenLocally(addresses.front(), backlog, listener.id)
                         : listenByTcp(linksOf(loop_).door(), addresses, backlog, listener.id);
    listeners_[listener.id] = listener;
    enlistHandle(listener.id, loop_.user());
  } catch (...) {
    stop(listener.id);
    throw;
  }
  return listener.bound;
}

/// At the name of a port, which is of this machine, whatever its address.
door::SocketAddress Listeners::listenLocally(const door::SocketAddress& address, int backlog,
                                             std::uint64_t listener) {
  if (!door::isOwn(address))
    throw InvalidAddrError(
        fmt::format("cannot listen on {}: not an address of this machine", address.toString()));
  const auto try_at = [&](std::uint16_t port) {
    linksOf(loop_).door().listenLocally(door::nameOfPort(port), listener, backlog);
    return withPort(address, port);
  };
  try {
    if (address.port() != 0) return try_at(address.port());
  } catch (const Error& error) {
    base::throwStatus(error.status(), fmt::format("cannot listen on {} (UCXX_LOCAL=only): {}",
                                                  address.toString(), error.what()));
  }
  const std::uint64_t first = base::randomU64();
  for (std::uint64_t i = 0; i < kFreePorts; ++i) {
    try {
      return try_at(static_cast<std::uint16_t>(kFirstFreePort + (first + i) % kFreePorts));
    } catch (const BusyError&) {
    }
  }
  throw BusyError("cannot listen (UCXX_LOCAL=only): no free port");
}

void Listeners::stop(std::uint64_t listener) noexcept {
  linksOf(loop_).door().stopListening(listener);
  listeners_.erase(listener);
  delistHandle(listener);
  const auto waits = [&](const auto& entry) { return entry.second.listener == listener; };
  for (;;) {  // anew each time: a callback may answer others
    const auto next = std::find_if(requests_.begin(), requests_.end(), waits);
    if (next == requests_.end()) return;
    reject(handleOf<ucp_conn_request_h>(next->first));
  }
}

const ListenerState* Listeners::find(std::uint64_t id) const noexcept {
  const auto found = listeners_.find(id);
  return found == listeners_.end() ? nullptr : &found->second;
}

void Listeners::ask(ConnectionRequest request) {
  const auto listener = listeners_.find(request.listener);
  const std::uint64_t id = request.endpoint->key;
  requests_.emplace(id, request);
  request.endpoint->has_request = true;
  if (listener == listeners_.end()) return reject(handleOf<ucp_conn_request_h>(id));
  const ListenerState known = listener->second;  // the callback may drop the listener
  request.endpoint->called_port = known.bound.port();
  try {
    known.callback(handleOf<ucp_conn_request_h>(id), known.argument);
    return;
  } catch (const std::exception& error) {
    base::log(LogLevel::Error, "listener", "a connection callback threw: {}", error.what());
  } catch (...) {
    base::log(LogLevel::Error, "listener", "a connection callback threw");
  }
  if (requests_.count(id) != 0) reject(handleOf<ucp_conn_request_h>(id));
}

void Listeners::onGone(EndpointState& endpoint) noexcept {
  const std::size_t bytes = bytesOf(endpoint.am_messages) + bytesOf(endpoint.stream_messages);
  try {
    gone_.push_back({endpoint.key, bytes});
  } catch (const std::bad_alloc&) {
    take(requests_.at(endpoint.key));
    return;
  }
  gone_bytes_ += bytes;
  while (gone_.size() > kMostGone || gone_bytes_ > loop_.options.unexpected_bytes)
    take(requests_.at(gone_.front().request));
}

EndpointState& Listeners::take(const ConnectionRequest& request) noexcept {
  EndpointState& endpoint = *request.endpoint;
  requests_.erase(endpoint.key);
  endpoint.has_request = false;
  if (!endpoint.isOver()) return endpoint;
  const auto gone = std::find_if(gone_.begin(), gone_.end(),
                                 [&](const Gone& one) { return one.request == endpoint.key; });
  if (gone != gone_.end()) {
    gone_bytes_ -= gone->bytes;
    gone_.erase(gone);
  }
  endpoint.review.ask();  // which frees it, unless somebody has taken it
  return endpoint;
}

const ConnectionRequest& Listeners::request(ucp_conn_request_h handle) const {
  const auto found = requests_.find(idOf(handle));
  if (found == requests_.end())
    throw std::invalid_argument(fmt::format(
        "connection request {} is not waiting for an answer: it was accepted, rejected, never was "
        "one, or its peer left long ago",
        static_cast<const void*>(handle)));
  return found->second;
}

EndpointState& Listeners::accept(ucp_conn_request_h handle) {
  EndpointState& endpoint = take(request(handle));
  if (!endpoint.isOver()) {
    endpoint.becomeOpen();
    endpoint.inlet->sendControl(MessageKind::Accept, endpoint);
  }
  return endpoint;
}

void Listeners::reject(ucp_conn_request_h handle) {
  EndpointState& endpoint = take(request(handle));
  if (endpoint.isOver()) return;
  endpoint.inlet->sendControl(MessageKind::Reject, endpoint);
  endEndpoint(endpoint, UCS_OK);
}

std::vector<door::SocketAddress> Listeners::openDoors() {
  const ConfigMap config = channelsOf(loop_).context().getConfig();
  const auto devices = config.find("NET_DEVICES");
  std::vector<door::SocketAddress> doors;
  for (door::SocketAddress& one :
       interfaceAddresses(split(devices == config.end() ? std::string("all") : devices->second))) {
    if (doors.size() == kMaxDoors) break;
    try {
      doors.push_back(linksOf(loop_).door().listen(one, 0));
    } catch (const Error& error) {
      base::log(LogLevel::Debug, "worker", "cannot listen on {}: {}", one.toString(), error.what());
    }
  }
  if (doors.empty())
    throw UnreachableError("no network interface to open the worker's door on (NET_DEVICES=" +
                           (devices == config.end() ? std::string("all") : devices->second) + ")");
  return doors;
}

std::string Listeners::address() {
  if (!address_.empty()) return address_;
  WorkerAddress address{loop_.id(), door::machineId(), linksOf(loop_).localName(), {}};
  if (!channelsOf(loop_).isLocalOnly()) address.doors = openDoors();
  return address_ = writeWorkerAddress(address);
}

}  // namespace ucxx::core
