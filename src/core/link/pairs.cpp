// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/pairs.h"

#include <algorithm>
#include <utility>

#include "core/match/endpoint_state.h"
#include "core/request/endpoint_core.h"

namespace ucxx::core {

void Pairs::list(EndpointState& endpoint) {
  if (room_.capacity() <= count()) room_.reserve(2 * count() + 4);
  endpoint.listed = true;  // from here on `unlist` undoes it
  (endpoint.own_opened ? own_ : peers_)[endpoint.id] = &endpoint;
  if (endpoint.own_pair) peers_[endpoint.id] = &endpoint;
}

void Pairs::unlist(EndpointState& endpoint) noexcept {
  endpoint.listed = false;
  if (endpoint.own_opened) own_.erase(endpoint.id);
  if (!endpoint.own_opened || endpoint.own_pair) peers_.erase(endpoint.id);
  if (endpoint.partner_id != 0) peers_.erase(endpoint.partner_id);
  for (Unpaired& unpaired : unpaired_) {
    if (unpaired.endpoint == &endpoint) unpaired.endpoint = nullptr;
  }
  std::erase(passive_, &endpoint);
}

std::vector<EndpointState*> Pairs::all() const {
  std::vector<EndpointState*> result;
  collect(result);
  return result;
}

std::vector<EndpointState*> Pairs::takeAll() noexcept {
  std::vector<EndpointState*> result = std::move(room_);
  collect(result);
  return result;
}

void Pairs::collect(std::vector<EndpointState*>& endpoints) const {
  for (const auto& [id, endpoint] : own_) endpoints.push_back(endpoint);
  for (const auto& [id, endpoint] : peers_) {
    if (!endpoint->own_opened) endpoints.push_back(endpoint);  // else it is among the own, too
  }
  std::sort(endpoints.begin(), endpoints.end(),
            [](const auto* a, const auto* b) { return a->key < b->key; });
}

bool Pairs::areExpecting() const noexcept {
  const auto expects = [](const auto& entry) { return entry.second->pendingCount() != 0; };
  return std::any_of(own_.begin(), own_.end(), expects) ||
         std::any_of(peers_.begin(), peers_.end(), expects);
}

void Pairs::awaitPartner(EndpointState& endpoint) { unpaired_.push_back({endpoint.id, &endpoint}); }

std::optional<EndpointState*> Pairs::pair(std::uint64_t id) {
  if (unpaired_.empty()) return std::nullopt;
  EndpointState* const partner = unpaired_.front().endpoint;
  unpaired_.erase(unpaired_.begin());
  if (partner == nullptr) return partner;
  partner->partner_id = id;
  peers_[id] = partner;
  return partner;
}

void Pairs::forgetUnpaired(std::uint64_t id) noexcept {
  std::erase_if(unpaired_, [&](const Unpaired& unpaired) { return unpaired.id == id; });
}

EndpointState* Pairs::takePassive() noexcept {
  if (passive_.empty()) return nullptr;
  EndpointState* const endpoint = passive_.front();
  passive_.erase(passive_.begin());
  return endpoint;
}

void Pairs::replace(EndpointState& passive, EndpointState& endpoint) noexcept {
  own_.erase(endpoint.id);
  auto entry = peers_.extract(passive.id);
  unlist(passive);
  endpoint.id = passive.id;
  endpoint.own_opened = false;
  entry.mapped() = &endpoint;
  peers_.insert(std::move(entry));
}

}  // namespace ucxx::core
