// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <cstring>
#include <memory>

#include <netdb.h>
#include <netinet/in.h>

#include "base/status.h"
#include "door/door.h"

namespace ucxx::door {
namespace {

const auto* asIpv4(const sockaddr_storage& storage) {
  return reinterpret_cast<const sockaddr_in*>(&storage);
}

const auto* asIpv6(const sockaddr_storage& storage) {
  return reinterpret_cast<const sockaddr_in6*>(&storage);
}

SocketAddress fromInfo(const addrinfo& info) {
  SocketAddress address;
  std::memcpy(&address.storage, info.ai_addr, info.ai_addrlen);
  address.length = info.ai_addrlen;
  return address;
}

void appendNew(std::vector<SocketAddress>& addresses, const SocketAddress& address) {
  if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) {
    addresses.push_back(address);
  }
}

}  // namespace

std::string SocketAddress::ip() const {
  char text[NI_MAXHOST] = "";
  // getnameinfo rather than inet_ntop: it writes the scope of a link-local address too.
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&storage), length, text, sizeof text, nullptr, 0,
                NI_NUMERICHOST);
  return text;
}

std::uint16_t SocketAddress::port() const {
  if (storage.ss_family == AF_INET) return ntohs(asIpv4(storage)->sin_port);
  if (storage.ss_family == AF_INET6) return ntohs(asIpv6(storage)->sin6_port);
  return 0;
}

std::string SocketAddress::toString() const {
  const std::string host = storage.ss_family == AF_INET6 ? '[' + ip() + ']' : ip();
  return host + ':' + std::to_string(port());
}

bool SocketAddress::sameHost(const SocketAddress& other) const {
  if (storage.ss_family != other.storage.ss_family) return false;
  if (storage.ss_family == AF_INET) {
    return asIpv4(storage)->sin_addr.s_addr == asIpv4(other.storage)->sin_addr.s_addr;
  }
  return std::memcmp(&asIpv6(storage)->sin6_addr, &asIpv6(other.storage)->sin6_addr,
                     sizeof(in6_addr)) == 0 &&
         asIpv6(storage)->sin6_scope_id == asIpv6(other.storage)->sin6_scope_id;
}

bool SocketAddress::operator==(const SocketAddress& other) const {
  return sameHost(other) && port() == other.port();
}

std::vector<SocketAddress> resolve(const std::string& host, std::uint16_t port, bool passive) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0);
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.empty() ? nullptr : host.c_str(),
                                  std::to_string(port).c_str(), &hints, &found);
  if (error != 0) {
    base::throwStatus(UCS_ERR_INVALID_ADDR,
                      "cannot resolve '" + host + "': " + ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  std::vector<SocketAddress> addresses;
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    appendNew(addresses, fromInfo(*info));
  }
  return addresses;
}

}  // namespace ucxx::door
