// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/meet/worker_address.h"

#include <cstring>
#include <span>

#include <netinet/in.h>

#include "base/crc32c.h"

namespace ucxx::core {
namespace {

constexpr std::uint64_t kMagic = 0x3252444158584355;  // "UCXXADR2"

struct RawHead {
  std::uint64_t magic;
  std::uint32_t crc;   // of what follows the head
  std::uint32_t size;  // of what follows the head
};
struct RawBody {
  base::Id128 worker;
  base::Id128 machine;
  base::Id128 local_name;
  std::uint64_t doors;
};
struct RawDoor {
  std::uint8_t address[16];
  std::uint32_t scope;
  std::uint16_t family;
  std::uint16_t port;  // host order
};
static_assert(sizeof(RawDoor) == 24);

RawDoor writeDoor(const door::SocketAddress& address) {
  RawDoor raw{};
  raw.family = address.storage.ss_family;
  raw.port = address.port();
  if (raw.family == AF_INET) {
    const auto& in = reinterpret_cast<const sockaddr_in&>(address.storage);
    std::memcpy(raw.address, &in.sin_addr, sizeof in.sin_addr);
  } else {
    const auto& in6 = reinterpret_cast<const sockaddr_in6&>(address.storage);
    std::memcpy(raw.address, &in6.sin6_addr, sizeof in6.sin6_addr);
    raw.scope = in6.sin6_scope_id;
  }
  return raw;
}

std::optional<door::SocketAddress> readDoor(const RawDoor& raw) {
  door::SocketAddress address;
  address.storage.ss_family = raw.family;
  if (raw.family == AF_INET) {
    auto& in = reinterpret_cast<sockaddr_in&>(address.storage);
    in.sin_port = htons(raw.port);
    std::memcpy(&in.sin_addr, raw.address, sizeof in.sin_addr);
    address.length = sizeof in;
  } else if (raw.family == AF_INET6) {
    auto& in6 = reinterpret_cast<sockaddr_in6&>(address.storage);
    in6.sin6_port = htons(raw.port);
    in6.sin6_scope_id = raw.scope;
    std::memcpy(&in6.sin6_addr, raw.address, sizeof in6.sin6_addr);
    address.length = sizeof in6;
  } else {
    return std::nullopt;
  }
  return address;
}

template <class T>
void append(std::string& out, const T& raw) {
  out.append(reinterpret_cast<const char*>(&raw), sizeof raw);
}

template <class T>
T take(std::string_view& from) {
  T raw;
  std::memcpy(&raw, from.data(), sizeof raw);
  from.remove_prefix(sizeof raw);
  return raw;
}

std::uint32_t checksum(std::string_view text) {
  return base::crc32c(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace

std::string writeWorkerAddress(const WorkerAddress& address) {
  std::string body;
  append(body, RawBody{address.worker, address.machine, address.local_name, address.doors.size()});
  for (const door::SocketAddress& one : address.doors) append(body, writeDoor(one));
  std::string out;
  append(out, RawHead{kMagic, checksum(body), static_cast<std::uint32_t>(body.size())});
  return out + body;
}

std::optional<WorkerAddress> readWorkerAddress(std::string_view bytes) {
  if (bytes.size() < sizeof(RawHead) + sizeof(RawBody)) return std::nullopt;
  const auto head = take<RawHead>(bytes);
  if (head.magic != kMagic || head.size != bytes.size() || head.crc != checksum(bytes))
    return std::nullopt;
  const auto body = take<RawBody>(bytes);
  if (body.doors > kMaxDoors || bytes.size() != body.doors * sizeof(RawDoor)) return std::nullopt;
  WorkerAddress address{body.worker, body.machine, body.local_name, {}};
  for (std::uint64_t i = 0; i < body.doors; ++i) {
    const auto one = readDoor(take<RawDoor>(bytes));
    if (!one) return std::nullopt;
    address.doors.push_back(*one);
  }
  return address;
}

}  // namespace ucxx::core
