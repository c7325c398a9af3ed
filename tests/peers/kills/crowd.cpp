// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/crowd.h"

#include <cstdlib>
#include <string_view>

namespace ucxx::kills {
namespace {

constexpr int kPeers = 5;
constexpr std::int64_t kPace = 300'000;  // nanoseconds between what one says

bool usesLocalChannel() {
  const char* setting = std::getenv("UCXX_LOCAL");  // NOLINT(concurrency-mt-unsafe)
  return setting == nullptr || std::string_view(setting) != "off";
}

AmReceiverCallbackInfo receiver() { return {"ucxx_kills", 1}; }

}  // namespace

void Crowd::expectAt(Worker& worker) {
  worker.registerAmReceiverCallback(receiver(), [](std::shared_ptr<Request>, ucp_ep_h) {});
}

Crowd::Crowd(const std::string& address) {
  for (int i = 0; usesLocalChannel() && i < kPeers; ++i) {
    auto worker = createContext()->createWorker();
    auto endpoint = worker->createEndpointFromWorkerAddress(createAddressFromString(address));
    peers_.push_back({std::move(worker), std::move(endpoint), nullptr});
    Peer& peer = peers_.back();
    for (say(peer); !peer.said->isCompleted();) peer.worker->progressWorkerEvent(1);
    peer.said->checkError();
  }
}

void Crowd::turn(std::int64_t time) {
  if (time - said_at_ < kPace) return;
  said_at_ = time;
  for (Peer& peer : peers_) {
    peer.worker->progress();
    if (peer.said->isCompleted()) say(peer);
  }
}

void Crowd::say(Peer& peer) {
  static const char word[] = "hello";
  peer.said = peer.endpoint->amSend(word, sizeof word, UCS_MEMORY_TYPE_HOST, receiver());
}

}  // namespace ucxx::kills
