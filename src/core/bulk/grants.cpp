// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/grants.h"

#include <utility>

#include "base/completion.h"
#include "core/bulk/fetch.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/loop.h"
#include "core/loop/sleeper.h"

namespace ucxx::core {

void Grants::add(std::uint64_t number, void* buffer, std::size_t size, Fetch& fetch) {
  grants_[number] = {static_cast<std::byte*>(buffer), size, size, false, &fetch};
  count(1);
}

void Grants::count(std::ptrdiff_t difference) const noexcept {
  if (port_.channel == ChannelKind::Local) port_.loop.sleeper.countInRings(difference);
}

bool Grants::take(std::uint64_t number, const void* bytes, std::size_t size) noexcept {
  const auto found = grants_.find(number);
  if (found == grants_.end() || size == 0 || size > found->second.left) return false;
  Grant& grant = found->second;
  Fetch* fetch = grant.fetch;
  if (fetch != nullptr) {
    port_.copyIn(grant.next, bytes, size, grant.size);
    grant.next += size;
    fetch->payloads->came(*fetch, bytes, size);
  }
  grant.left -= size;
  grant.has_begun = true;
  if (grant.left != 0) return true;
  grants_.erase(found);
  count(-1);
  if (fetch != nullptr) fetch->done(*fetch, UCS_OK);
  return true;
}

bool Grants::refuse(std::uint64_t number, ucs_status_t status) noexcept {
  const auto found = grants_.find(number);
  if (found == grants_.end() || found->second.has_begun) return false;
  Fetch* const fetch = found->second.fetch;
  grants_.erase(found);
  count(-1);
  if (fetch != nullptr) fetch->done(*fetch, status);
  return true;
}

void Grants::revoke(const std::function<bool(const Fetch&)>& chosen, ucs_status_t status) {
  for (auto at = grants_.begin(); at != grants_.end();) {
    const std::uint64_t number = at->first;
    Fetch*& fetch = at->second.fetch;
    if (fetch != nullptr && chosen(*fetch)) {
      Fetch& revoked = *std::exchange(fetch, nullptr);
      revoked.done(revoked, status);  // its callback may fetch
    }
    at = grants_.upper_bound(number);
  }
}

void Grants::end(ucs_status_t status) noexcept {
  const auto ending = std::exchange(grants_, {});
  count(-static_cast<std::ptrdiff_t>(ending.size()));
  for (const auto& [number, grant] : ending) {
    if (grant.fetch != nullptr) grant.fetch->done(*grant.fetch, status);
  }
}

}  // namespace ucxx::core
