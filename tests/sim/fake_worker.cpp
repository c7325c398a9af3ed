// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What a UCX worker does when it is progressed, in an order that chance decides.

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/network.h"

namespace ucxx::sim {
namespace {

constexpr unsigned kKinds = 6;

template <class List>
auto takeAt(List& list, std::size_t index) {
  auto taken = std::move(list[index]);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
  return taken;
}

}  // namespace

std::vector<std::byte> FakeWorker::address() const {
  std::vector<std::byte> bytes(1 + sizeof id, std::byte{0x20});
  std::memcpy(&bytes[1], &id, sizeof id);
  return bytes;
}

bool FakeWorker::progress() {
  bool moved = false;
  const std::size_t tries = 1 + world.random.below(4);
  for (std::size_t i = 0; i < tries; ++i) {
    const auto first = static_cast<unsigned>(world.random.below(kKinds));
    const unsigned kinds = world.delays() ? 1 : kKinds;
    for (unsigned kind = first; kind < first + kinds; ++kind) {
      if (!step(kind % kKinds)) continue;
      moved = true;
      break;
    }
  }
  return moved;
}

bool FakeWorker::step(unsigned kind) {
  switch (kind) {
    case 0:
      return tellEnd();
    case 1:
      return deliver();
    case 2:
      return transmitQueued();
    case 3:
      return moveFetch();
    case 4:
      return tellFailure();
    default:
      return finishClose();
  }
}

void FakeWorker::end(FakeEndpoint* endpoint, base::Completion* completion, ucs_status_t status) {
  if (completion != nullptr) ended.push_back({endpoint, completion, status});
}

bool FakeWorker::hasUntold(const FakeEndpoint& endpoint) const noexcept {
  return std::any_of(ended.begin(), ended.end(),
                     [&](const Ended& one) { return one.endpoint == &endpoint; });
}

bool FakeWorker::tellEnd() {
  if (ended.empty()) return false;
  const Ended one = takeAt(ended, world.random.below(ended.size()));
  one.completion->done(*one.completion, one.status);
  return true;
}

bool FakeWorker::deliver() {
  if (dead) return false;
  std::vector<std::deque<Packet>*> ready;
  for (FakeEndpoint* endpoint : incoming) {
    for (auto& lane : endpoint->lanes) {
      if (!lane.empty()) ready.push_back(&lane);
    }
  }
  if (ready.empty()) return false;
  std::deque<Packet>& lane = *world.random.pick(ready);
  const Packet packet = std::move(lane.front());
  lane.pop_front();
  ucp::Payload payload{packet.bytes.data(), packet.bytes.size(), nullptr};
  if (packet.rendezvous != nullptr) {
    payload = {nullptr, packet.rendezvous->source.size(), packet.rendezvous.get()};
    delivered.emplace(packet.rendezvous.get(), packet.rendezvous);
  }
  events.onMessage(events.owner, packet.header, payload);
  return true;
}

bool FakeWorker::transmitQueued() {
  if (world.network->stuck) return false;
  for (FakeEndpoint* endpoint : own) {
    if (endpoint->queue.empty() || world.delays()) continue;
    const Queued send = std::move(endpoint->queue.front());
    endpoint->queue.pop_front();
    world.network->transmit(*endpoint, send);
    return true;
  }
  return false;
}

bool FakeWorker::moveFetch() {
  if (fetching.empty()) return false;
  const std::size_t index = world.random.below(fetching.size());
  Rendezvous& rendezvous = *fetching[index];
  const bool out_of_reach = rendezvous.sent == nullptr;
  if (out_of_reach) return endFetch(index, UCS_ERR_CONNECTION_RESET), true;
  if (dead || rendezvous.sender->worker.dead) {
    if (rendezvous.sender->partner != nullptr) return false;  // its failure ends it
    return endFetch(index, UCS_ERR_CONNECTION_RESET), true;
  }
  const std::size_t left = rendezvous.source.size() - rendezvous.copied;
  const std::size_t count = world.delays() ? world.random.below(left + 1) : left;
  rendezvous.source.read(rendezvous.copied, count, rendezvous.target + rendezvous.copied);
  rendezvous.copied += count;
  if (count == left) endFetch(index, UCS_OK);
  return true;
}

void FakeWorker::endFetch(std::size_t index, ucs_status_t status) {
  const auto rendezvous = takeAt(fetching, index);
  if (status == UCS_OK) {
    FakeEndpoint& sender = *rendezvous->sender;
    std::erase(sender.announced, rendezvous);
    sender.worker.end(&sender, std::exchange(rendezvous->sent, nullptr), UCS_OK);
  }
  base::Completion* completion = std::exchange(rendezvous->fetched, nullptr);
  completion->done(*completion, status);
}

bool FakeWorker::tellFailure() {
  for (FakeEndpoint* endpoint : own) {
    if (!endpoint->isUp() || endpoint->failing == UCS_OK) continue;
    // Without loss, what the peer sent before its end comes first.
    const auto& lanes = endpoint->partner == nullptr ? endpoint->lanes : endpoint->partner->lanes;
    const bool drained =
        endpoint->partner == nullptr ||
        std::all_of(lanes.begin(), lanes.end(), [](const auto& lane) { return lane.empty(); });
    if (!drained && !world.manners.lossy && !dead) continue;
    endpoint->failed = endpoint->failing;
    world.network->cut(*endpoint, endpoint->failed);
    endpoint->failure.onFailure(endpoint->failure.owner, endpoint->failed);
    return true;
  }
  return false;
}

bool FakeWorker::finishClose() {
  for (FakeEndpoint* endpoint : own) {
    if (endpoint->closing == nullptr || hasUntold(*endpoint)) continue;
    std::erase(own, endpoint);
    base::Completion* completion = std::exchange(endpoint->closing, nullptr);
    completion->done(*completion, UCS_OK);
    return true;
  }
  return false;
}

ucs_status_t FakeWorker::fetch(void* announcement, void* buffer, std::size_t size,
                               base::Completion& completion) {
  const auto found = delivered.find(announcement);
  if (found == delivered.end()) {
    world.complain("an announcement is fetched that was fetched or dropped before");
    return UCS_ERR_INVALID_PARAM;
  }
  const auto rendezvous = found->second;
  delivered.erase(found);
  if (size != rendezvous->source.size()) world.complain("a fetch of another size than announced");
  rendezvous->target = static_cast<std::byte*>(buffer);
  rendezvous->fetched = &completion;
  if (rendezvous->sent == nullptr && world.endsInline()) return UCS_ERR_CONNECTION_RESET;
  if (rendezvous->sent == nullptr || dead || rendezvous->sender->worker.dead ||
      !world.endsInline()) {
    fetching.push_back(rendezvous);
    return UCS_INPROGRESS;
  }
  rendezvous->source.read(0, size, rendezvous->target);
  FakeEndpoint& sender = *rendezvous->sender;
  std::erase(sender.announced, rendezvous);
  sender.worker.end(&sender, std::exchange(rendezvous->sent, nullptr), UCS_OK);
  return UCS_OK;
}

void FakeWorker::drop(void* announcement) {
  const auto found = delivered.find(announcement);
  if (found == delivered.end())
    return world.complain("an announcement is dropped that was fetched or dropped before");
  const auto rendezvous = found->second;
  delivered.erase(found);
  FakeEndpoint& sender = *rendezvous->sender;
  if (rendezvous->sent == nullptr || sender.worker.dead) return;
  std::erase(sender.announced, rendezvous);
  sender.worker.end(&sender, std::exchange(rendezvous->sent, nullptr), UCS_ERR_CANCELED);
}

}  // namespace ucxx::sim
