// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/meet/links.h"

#include <algorithm>
#include <utility>

#include <ucxx/context.h>

#include "core/bulk/bulk_memory.h"
#include "core/channel/channels.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/endpoints.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/plan/plans.h"
#include "core/request/context_state.h"
#include "door/hello.h"

namespace ucxx::core {

Links::Links(Loop& loop, base::Poller& poller)
    : loop_(loop),
      name_secret_{base::randomU64(), base::randomU64()},
      door_(std::make_unique<door::Door>(poller, doorEvents(), door::Limits(),
                                         channelsOf(loop).context().state().secret,
                                         channelsOf(loop).context().state().patience)) {}

Links::~Links() = default;

Link& Links::add(ChannelKind channel) {
  all_.push_back(std::make_unique<Link>(loop_, channel));
  return *all_.back();
}

Link& Links::self() {
  if (self_ == nullptr) {
    self_ = &add(ChannelKind::Self);
    self_->peer = loop_.id();
  }
  return *self_;
}

Link* Links::to(const base::Id128& worker) const noexcept {
  const auto found = by_peer_.find(worker);
  return found != by_peer_.end() && found->second->isUsable() && !found->second->is_gone
             ? found->second
             : nullptr;
}

Link* Links::named(std::uint64_t own_name) const noexcept {
  const auto found = by_name_.find(own_name);
  return found == by_name_.end() ? nullptr : found->second;
}

Link* Links::findByPeerName(std::uint64_t peer_name) const noexcept {
  for (const auto& [name, link] : by_name_) {
    if (link->peer_name == peer_name) return link;
  }
  return nullptr;
}

void Links::enlist(Link& link) {
  by_name_[link.own_name] = &link;
  Link*& canonical = by_peer_[link.peer];
  // If two calls have crossed, both sides prefer the one of the smaller worker.
  const bool called_by_smaller = link.own_call == (loop_.id() < link.peer);
  if (canonical == nullptr || !canonical->isStaying() || called_by_smaller) canonical = &link;
}

void Links::connect(Link& link) noexcept {
  if (!std::exchange(link.needs_ucx, true)) ++loop_.carriers.ucx_links;
}

void Links::review(Link& link) noexcept {
  link.act();
  if (link.isRemovable()) remove(link);
}

void Links::revokeReceives(const EndpointState& endpoint) noexcept {
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i]->revokeReceives(endpoint);
}

void Links::abandonCopies() noexcept {
  for (auto& link : all_) link->abandonCopies();
}

void Links::abandonPlans() noexcept {
  for (auto& link : all_) link->plans().abandon();
}

void Links::remove(Link& link) noexcept {
  by_name_.erase(link.own_name);
  if (link.needs_ucx) --loop_.carriers.ucx_links;
  if (self_ == &link) self_ = nullptr;
  const auto canonical = by_peer_.find(link.peer);
  if (canonical != by_peer_.end() && canonical->second == &link) by_peer_.erase(canonical);
  endpointsOf(loop_).forget(link);
  std::erase_if(all_, [&](const auto& one) { return one.get() == &link; });
}

/// This walks over all links: often enough for a silent peer to be noticed in time, and always
/// before the loop sleeps.
void Links::watch() noexcept {
  for (auto& link : all_) {
    if (link->connection != nullptr) link->connection->setExpecting(link->isExpecting());
    link->bulk_memory.watch();
  }
}

std::size_t Links::lingering() const noexcept {
  return static_cast<std::size_t>(std::count_if(
      all_.begin(), all_.end(), [](const auto& link) { return link->goodbye.isLingering(); }));
}

void Links::abandon() noexcept {
  for (std::unique_ptr<Link>& link : all_) (void)link.release();
  all_.clear();
}

}  // namespace ucxx::core
