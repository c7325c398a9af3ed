// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/status.h"
#include "door/door.h"

namespace ucxx::door {
namespace {

const auto* asIpv4(const sockaddr_storage& storage) {
  return reinterpret_cast<const sockaddr_in*>(&storage);
}

// A zero byte in front makes a name abstract.
constexpr std::string_view kNamePrefix("\0ucxx-", 6);
constexpr std::size_t kNameDigits = 32;
constexpr std::size_t kNamedLength =
    offsetof(sockaddr_un, sun_path) + kNamePrefix.size() + kNameDigits;

/// Its hex digits; nothing if it is no name of the library's, for only those are fit to be printed.
std::string_view digitsOf(const SocketAddress& address) {
  if (address.length != kNamedLength) return {};
  const auto& unix_address = reinterpret_cast<const sockaddr_un&>(address.storage);
  std::string_view name(unix_address.sun_path, kNamePrefix.size() + kNameDigits);
  if (!name.starts_with(kNamePrefix)) return {};
  name.remove_prefix(kNamePrefix.size());
  const auto is_digit = [](unsigned char each) { return std::isxdigit(each) != 0; };
  return std::all_of(name.begin(), name.end(), is_digit) ? name : std::string_view{};
}

const auto* asIpv6(const sockaddr_storage& storage) {
  return reinterpret_cast<const sockaddr_in6*>(&storage);
}

/// The loopback's, or the wildcard.
bool isOwnAnywhere(const SocketAddress& address) noexcept {
  if (address.storage.ss_family == AF_INET6) {
    const in6_addr& ip = asIpv6(address.storage)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&ip) || IN6_IS_ADDR_UNSPECIFIED(&ip);
  }
  const std::uint32_t ip = ntohl(asIpv4(address.storage)->sin_addr.s_addr);
  return ip == INADDR_ANY || ip >> 24 == IN_LOOPBACKNET;
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
  if (isUnix()) return {};
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
  if (isUnix()) return "unix:@" + std::string(digitsOf(*this));
  const std::string host = storage.ss_family == AF_INET6 ? '[' + ip() + ']' : ip();
  return host + ':' + std::to_string(port());
}

bool SocketAddress::sameHost(const SocketAddress& other) const {
  if (storage.ss_family != other.storage.ss_family) return false;
  if (isUnix()) return true;
  if (storage.ss_family == AF_INET) {
    return asIpv4(storage)->sin_addr.s_addr == asIpv4(other.storage)->sin_addr.s_addr;
  }
  return std::memcmp(&asIpv6(storage)->sin6_addr, &asIpv6(other.storage)->sin6_addr,
                     sizeof(in6_addr)) == 0 &&
         asIpv6(storage)->sin6_scope_id == asIpv6(other.storage)->sin6_scope_id;
}

bool SocketAddress::operator==(const SocketAddress& other) const {
  if (isUnix()) {
    return length == other.length && std::memcmp(&storage, &other.storage, length) == 0;
  }
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

base::Id128 nameOfPort(std::uint16_t port) noexcept {
  constexpr std::uint64_t kPort = 0x756378782d706f72;  // "ucxx-por"
  return {kPort, std::uint64_t{::geteuid()} << 32 | port};
}

bool isOwn(const SocketAddress& address) noexcept {
  if (isOwnAnywhere(address)) return true;  // though IPv6 may be off
  SocketAddress any_port = address;
  if (address.storage.ss_family == AF_INET)
    reinterpret_cast<sockaddr_in&>(any_port.storage).sin_port = 0;
  else
    reinterpret_cast<sockaddr_in6&>(any_port.storage).sin6_port = 0;
  const base::ForkBarrier barrier;
  const int socket = ::socket(address.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return false;
  const auto* generic = reinterpret_cast<const sockaddr*>(&any_port.storage);
  const bool is_own = ::bind(socket, generic, any_port.length) == 0;
  ::close(socket);
  return is_own;
}

SocketAddress unixAddress(const base::Id128& name) {
  const std::string path = std::string(kNamePrefix) + base::toString(name);
  SocketAddress address;
  auto& unix_address = reinterpret_cast<sockaddr_un&>(address.storage);
  unix_address.sun_family = AF_UNIX;
  path.copy(unix_address.sun_path, path.size());
  address.length = kNamedLength;
  return address;
}

}  // namespace ucxx::door
