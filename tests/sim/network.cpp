// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "sim/network.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/link/link.h"

namespace ucxx::sim {
namespace {

/// UCX itself brings endpoints together in the order of their making, which differs at the two ends
/// when two links come up at once; what that may do is not simulated.
bool areOfOneLink(const FakeEndpoint& one, const FakeEndpoint& other) noexcept {
  const auto* link = static_cast<const core::Link*>(one.failure.owner);
  const auto* peers = static_cast<const core::Link*>(other.failure.owner);
  return link == nullptr || peers == nullptr || link->peer_name == peers->own_name;
}

/// Whatever a hostile peer has put there.
core::MessageKind kindOf(std::span<const std::byte> bytes) noexcept {
  core::WireHeader header;
  std::memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof header));
  return header.kind;
}

}  // namespace

std::size_t Source::size() const noexcept {
  std::size_t total = 0;
  for (const ucp_dt_iov_t& piece : pieces) total += piece.length;
  return total;
}

void Source::read(std::size_t offset, std::size_t count, std::byte* out) const noexcept {
  for (const ucp_dt_iov_t& piece : pieces) {
    const std::size_t skipped = std::min(offset, piece.length);
    const std::size_t taken = std::min(count, piece.length - skipped);
    if (taken != 0) std::memcpy(out, static_cast<const std::byte*>(piece.buffer) + skipped, taken);
    offset -= skipped;
    count -= taken;
    out += taken;
  }
}

FakeEndpoint::FakeEndpoint(FakeWorker& worker_, FakeWorker& peer_,
                           const ucp::Endpoint::Failure& failure_)
    : worker(worker_), peer(peer_), failure(failure_), lanes(worker_.world.manners.lanes) {}

Network::~Network() = default;

FakeWorker& Network::newWorker(const ucp::ChannelEvents& events) {
  return workers_.emplace_back(world_, workers_.size() + 1, events);
}

FakeWorker* Network::worker(std::uint64_t id) noexcept {
  return id == 0 || id > workers_.size() ? nullptr : &workers_[id - 1];
}

FakeWorker* Network::workerAt(std::span<const std::byte> address) {
  if (address.empty() || (address[0] & std::byte{0xf}) > std::byte{1}) {
    world_.complain("UCX asserts that it knows the version of an address");
    return nullptr;
  }
  std::uint64_t id = 0;
  if (address.size() == 1 + sizeof id) std::memcpy(&id, &address[1], sizeof id);
  return worker(id);
}

std::size_t Network::workers() const noexcept {
  const auto lives = [](const FakeWorker& one) { return !one.gone && !one.dead; };
  return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), lives));
}

FakeEndpoint& Network::newEndpoint(FakeWorker& from, std::uint64_t peer,
                                   const ucp::Endpoint::Failure& failure) {
  FakeWorker& to = *worker(peer);
  FakeEndpoint& endpoint = endpoints_.emplace_back(from, to, failure);
  from.own.push_back(&endpoint);
  to.incoming.push_back(&endpoint);
  for (FakeEndpoint* other : to.own) {
    if (&other->peer != &from || other->partner != nullptr || !areOfOneLink(endpoint, *other))
      continue;
    other->partner = &endpoint;
    endpoint.partner = other;
    break;
  }
  return endpoint;
}

ucs_status_t Network::send(FakeEndpoint& endpoint, Queued send) {
  if (endpoint.failed != UCS_OK) return endpoint.failed;
  if (refusal != UCS_OK) {
    if (refuses_at_once) return refusal;
    endpoint.worker.end(&endpoint, send.completion, refusal);
    return UCS_INPROGRESS;
  }
  if (endpoint.queue.empty() && !stuck && world_.endsInline()) {
    base::Completion* completion = send.completion;
    if (!send.announce && world_.endsInline()) completion = send.completion = nullptr;
    transmit(endpoint, send);
    return completion == nullptr ? UCS_OK : UCS_INPROGRESS;
  }
  endpoint.queue.push_back(std::move(send));
  return UCS_INPROGRESS;
}

void Network::transmit(FakeEndpoint& endpoint, const Queued& send) {
  Packet packet;
  packet.header.assign(send.header.begin(), send.header.end());
  takes_back |= kindOf(send.header) == core::MessageKind::Gone;
  if (send.announce) {
    packet.rendezvous = std::make_shared<Rendezvous>();
    packet.rendezvous->source = send.source;
    packet.rendezvous->sender = &endpoint;
    packet.rendezvous->sent = send.completion;
    endpoint.announced.push_back(packet.rendezvous);
  } else {
    packet.bytes.resize(send.source.size());
    send.source.read(0, packet.bytes.size(), packet.bytes.data());
    if (send.completion != nullptr) endpoint.worker.end(&endpoint, send.completion, UCS_OK);
  }
  if (!endpoint.worker.dead && !endpoint.peer.dead && !endpoint.peer.gone)
    world_.random.pick(endpoint.lanes).push_back(std::move(packet));
}

void Network::cut(FakeEndpoint& endpoint, ucs_status_t status) {
  FakeWorker& worker = endpoint.worker;
  for (const Queued& send : std::exchange(endpoint.queue, {}))
    worker.end(&endpoint, send.completion, status);
  for (const auto& rendezvous : std::exchange(endpoint.announced, {}))
    worker.end(&endpoint, std::exchange(rendezvous->sent, nullptr), status);
  auto fetching = std::exchange(worker.fetching, {});
  for (auto& rendezvous : fetching) {
    if (rendezvous->sender->partner != &endpoint)
      worker.fetching.push_back(std::move(rendezvous));
    else
      worker.end(&endpoint, std::exchange(rendezvous->fetched, nullptr), status);
  }
}

ucs_status_t Network::close(FakeEndpoint& endpoint, base::Completion& completion) {
  FakeWorker& worker = endpoint.worker;
  endpoint.closed = true;
  if (world_.manners.lossy) lose(endpoint);
  cut(endpoint, UCS_ERR_CANCELED);
  std::erase(worker.own, &endpoint);
  FakeEndpoint* partner = endpoint.partner;
  if (partner != nullptr && partner->isUp() && world_.random.chance(70))
    partner->failing = UCS_ERR_CONNECTION_RESET;
  if (world_.endsInline()) {
    // UCX may end what is pending from inside of the call.
    const auto is_ours = [&](const Ended& one) { return one.endpoint == &endpoint; };
    for (auto at = worker.ended.begin();
         (at = std::find_if(worker.ended.begin(), worker.ended.end(), is_ours)) !=
         worker.ended.end();) {
      const Ended one = *at;
      worker.ended.erase(at);
      one.completion->done(*one.completion, one.status);
    }
    return UCS_OK;
  }
  endpoint.closing = &completion;
  worker.own.push_back(&endpoint);  // until the end of the close is told
  return UCS_INPROGRESS;
}

void Network::lose(FakeEndpoint& endpoint) {
  for (auto& lane : endpoint.lanes) lane.resize(world_.random.below(lane.size() + 1));
}

bool Network::failSome() {
  std::vector<FakeEndpoint*> up;
  for (FakeEndpoint& endpoint : endpoints_) {
    if (endpoint.isUp() && !endpoint.worker.dead) up.push_back(&endpoint);
  }
  if (up.empty()) return false;
  FakeEndpoint& endpoint = *world_.random.pick(up);
  endpoint.failing = world_.random.chance(50) ? UCS_ERR_CONNECTION_RESET : UCS_ERR_ENDPOINT_TIMEOUT;
  lose(endpoint);
  return true;
}

void Network::kill(FakeWorker& worker) {
  worker.dead = true;
  for (FakeEndpoint& endpoint : endpoints_) {
    if (&endpoint.worker != &worker && &endpoint.peer != &worker) continue;
    lose(endpoint);
    if (&endpoint.peer == &worker && endpoint.isUp() && world_.random.chance(70))
      endpoint.failing = UCS_ERR_CONNECTION_RESET;
  }
}

}  // namespace ucxx::sim
