// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "sim/hostile_peer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/meet/worker_address.h"

namespace ucxx::sim {
namespace {

std::shared_ptr<Context> context() {
  static const auto one = createContext({{"UCXX_LOCAL", "off"}}, UCP_FEATURE_AM);
  return one;
}

std::vector<std::byte> wholeHeader(const core::WireHeader& header,
                                   std::span<const std::byte> prologue) {
  std::vector<std::byte> whole(sizeof header + prologue.size());
  std::memcpy(whole.data(), &header, sizeof header);
  std::copy(prologue.begin(), prologue.end(), whole.begin() + sizeof header);
  return whole;
}

}  // namespace

HostilePeer::HostilePeer(const WorkerOptions& options) : worker(createWorker(context(), options)) {
  FakeWorker& own = world.network->newWorker({nullptr, [](void*, auto, const auto&) {}});
  door::Hello hello;
  hello.worker = kName;
  hello.link = 77;
  hello.unexpected_bytes = 4096;
  hello.announcements = 4;
  hello.ucx_address = own.address();
  const auto answer = world.doors->introduce(world.doors->lastDoor(), hello);
  link = std::get<door::Welcome>(answer).hello.link;
  const auto address = createAddressFromString(core::writeWorkerAddress({kName, {}}));
  for (int i = 0; i < 2; ++i) ends.push_back(worker->createEndpointFromWorkerAddress(address));
  to_ = &world.network->newEndpoint(own, channel().id, {nullptr, [](void*, ucs_status_t) {}});
  world.calm();
}

HostilePeer::~HostilePeer() { end(); }

void HostilePeer::end() {
  if (worker == nullptr) return;
  ends.clear();
  progress();
  worker = nullptr;
}

core::WireHeader HostilePeer::next(core::MessageKind kind) noexcept {
  core::WireHeader header;
  header.kind = kind;
  header.link = link;
  header.sequence = sequence++;
  return header;
}

void HostilePeer::send(const core::WireHeader& header, std::vector<std::byte> bytes,
                       std::span<const std::byte> prologue) {
  to_->lanes.front().push_back({wholeHeader(header, prologue), std::move(bytes), nullptr});
}

void HostilePeer::announce(const core::WireHeader& header, std::size_t size,
                           std::span<const std::byte> prologue) {
  completions_.push_back(std::make_unique<base::Completion>());
  completions_.back()->done = [](base::Completion&, ucs_status_t) {};
  world.network->transmit(*to_, {wholeHeader(header, prologue),
                                 {{{payload_.data(), size}}},
                                 true,
                                 completions_.back().get()});
}

void HostilePeer::progress() {
  for (int i = 0; i < 20; ++i) {
    worker->loop().lookOften();
    worker->progress();
  }
}

std::vector<core::WireHeader> HostilePeer::received() const {
  std::vector<core::WireHeader> headers;
  for (const FakeEndpoint* endpoint : channel().own) {
    for (const Packet& packet : endpoint->lanes.front())
      headers.push_back(core::readHeader(packet.header).value());
  }
  return headers;
}

std::size_t HostilePeer::unsent() const noexcept {
  std::size_t count = 0;
  for (const FakeEndpoint* endpoint : channel().own) count += endpoint->queue.size();
  return count;
}

}  // namespace ucxx::sim
