// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/failed_proofs.h"

#include <chrono>
#include <cstddef>
#include <cstring>

#include <netinet/in.h>

namespace ucxx::door {
namespace {

constexpr auto kFor = std::chrono::seconds(1);
constexpr int kMany = 5;
// Who has more addresses than this has more guesses anyway: the rest are not counted.
constexpr std::size_t kMaxOrigins = 1024;

}  // namespace

FailedProofs::Origin FailedProofs::originOf(const SocketAddress& from) {
  if (from.storage.ss_family == AF_INET) {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(from.storage);
    return {AF_INET, ipv4.sin_addr.s_addr, 0};
  }
  const auto& ipv6 = reinterpret_cast<const sockaddr_in6&>(from.storage);
  std::uint64_t network = 0;
  std::memcpy(&network, &ipv6.sin6_addr, sizeof network);
  return {AF_INET6, network, ipv6.sin6_scope_id};
}

void FailedProofs::count(const SocketAddress& from, base::TimePoint now) {
  if (from.isUnix()) return;
  if (now >= until_) {
    counts_.clear();
    until_ = now + kFor;
  }
  const Origin origin = originOf(from);
  if (counts_.size() < kMaxOrigins || counts_.contains(origin)) ++counts_[origin];
}

bool FailedProofs::areMany(const SocketAddress& from, base::TimePoint now) const {
  if (now >= until_ || from.isUnix()) return false;
  const auto found = counts_.find(originOf(from));
  return found != counts_.end() && found->second > kMany;
}

}  // namespace ucxx::door
