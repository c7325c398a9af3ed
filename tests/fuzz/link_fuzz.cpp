// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A peer that passed the door and then sends anything: a worker over the simulated channel of
// tests/sim, a link that is up, receives and endpoints on it. Whatever comes, nothing crashes, no
// memory is taken that the peer does not pay for, and in the end everything has ended.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <ucxx/api.h>

#include "core/loop.h"
#include "core/wire.h"
#include "core/worker_address.h"
#include "sim/doors.h"
#include "sim/network.h"

namespace {

using namespace ucxx;

void require(bool condition) {
  if (!condition) std::abort();
}

std::shared_ptr<Context> context() {
  static const auto one = createContext({}, UCP_FEATURE_AM);
  return one;
}

/// Takes numbers from the front of the input; zeros behind its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(std::as_bytes(std::span(data, size))) {}
  bool empty() const noexcept { return bytes_.empty(); }
  template <class T>
  T take() noexcept {
    T value{};
    const auto taken = chunk(sizeof value);
    std::memcpy(&value, taken.data(), taken.size());
    return value;
  }
  std::span<const std::byte> chunk(std::size_t size) noexcept {
    const auto taken = bytes_.first(std::min(size, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const std::byte> bytes_;
};

/// The worker, and its peer that is only what the input says.
class Meeting {
 public:
  Meeting() : world_(1, {}), worker_(createWorker(context(), options())) {
    worker_->registerAmReceiverCallback({"fuzz", 1}, [](std::shared_ptr<Request>, ucp_ep_h) {});
    peer_ = &world_.network->newWorker({nullptr, [](void*, auto, const auto&) {}});
    door::Hello hello;
    hello.worker = kPeer;
    hello.link = 77;
    hello.unexpected_bytes = 4096;
    hello.announcements = 4;
    hello.ucx_address.resize(sizeof peer_->id);
    std::memcpy(hello.ucx_address.data(), &peer_->id, sizeof peer_->id);
    const auto answer = world_.doors->introduce(world_.doors->lastDoor(), hello);
    link_ = std::get<door::Hello>(answer).link;
    const auto address = createAddressFromString(core::writeWorkerAddress({kPeer, {}}));
    for (int i = 0; i < 2; ++i) ends_.push_back(worker_->createEndpointFromWorkerAddress(address));
    to_ = &world_.network->newEndpoint(*peer_, workerId(), {nullptr, [](void*, ucs_status_t) {}});
    world_.calm();
    post();
  }
  ~Meeting() {
    // Its own bytes are the fuzzer's: the end of the peer is always clean.
    requests_.clear();
    ends_.clear();
    progress();
    worker_ = nullptr;
    require(world_.complaints.empty());
    require(ended_ == posted_);
  }

  void message(Input& input);
  void act(std::uint8_t choice);

 private:
  static constexpr base::Id128 kPeer{5, 6};
  static WorkerOptions options() {
    WorkerOptions options;
    options.unexpected_bytes = 1 << 16;
    options.multi_bytes = 1 << 20;
    options.multi_frames = 64;
    return options;
  }
  std::uint64_t workerId() const {
    return reinterpret_cast<sim::FakeWorker*>(worker_->getHandle())->id;
  }
  RequestCallbackUserFunction told() {
    ++posted_;
    return [this](ucs_status_t, const std::shared_ptr<void>&) { ++ended_; };
  }
  void post();
  void progress();

  sim::World world_;
  std::shared_ptr<Worker> worker_;
  sim::FakeWorker* peer_ = nullptr;
  sim::FakeEndpoint* to_ = nullptr;
  std::uint64_t link_ = 0;
  std::uint32_t sequence_ = 0;
  std::vector<std::shared_ptr<Endpoint>> ends_;
  std::vector<std::shared_ptr<Request>> requests_;
  std::vector<std::byte> room_ = std::vector<std::byte>(1 << 16);
  std::vector<std::byte> payload_;
  std::vector<std::unique_ptr<ucp::Completion>> completions_;
  int posted_ = 0, ended_ = 0;
};

void Meeting::post() {
  requests_.push_back(worker_->tagRecv(room_.data(), 1000, Tag{1}, TagMaskFull, false, told()));
  requests_.push_back(worker_->tagRecv(room_.data(), room_.size(), Tag{0}, TagMask{2}, false, told()));
  for (const auto& end : ends_) {
    requests_.push_back(end->tagMultiRecv(Tag{1}, TagMask{0}));
    requests_.push_back(end->amRecv(false, told()));
    requests_.push_back(end->streamRecv(room_.data(), 3000, false));
    requests_.push_back(end->tagSend(room_.data(), 3000, Tag{1}, false, told()));
  }
}

void Meeting::progress() {
  for (int i = 0; i < 20; ++i) {
    worker_->loop().lookOften();
    worker_->progress();
  }
}

/// A header with the right name of the link and a sequence number that is mostly right.
void Meeting::message(Input& input) {
  core::WireHeader header;
  const auto shape = input.take<std::uint8_t>();
  header.kind = static_cast<core::MessageKind>(1 + input.take<std::uint8_t>() % core::kLastMessageKind);
  header.link = link_;
  header.sequence = (shape & 1) != 0 ? sequence_ + input.take<std::uint8_t>() % 4 : sequence_++;
  header.sender_opened = (shape >> 1) & 1;
  const auto whose = input.take<std::uint8_t>();
  const auto* handle = whose < 128 ? ends_[whose % ends_.size()]->getHandle() : nullptr;
  header.endpoint = handle != nullptr ? reinterpret_cast<std::uint64_t>(handle) : whose;
  header.argument = (shape & 4) != 0 ? input.take<std::uint64_t>() : input.take<std::uint16_t>();
  const std::size_t size = input.take<std::uint16_t>() % 40'000;
  header.length = (shape & 8) != 0 ? input.take<std::uint64_t>() : (shape & 16) != 0 ? size * 3 : size;
  const bool announce = (shape & 32) != 0;
  sim::Packet packet;
  const auto* raw = reinterpret_cast<const std::byte*>(&header);
  packet.header.assign(raw, raw + sizeof header);
  if (header.kind == core::MessageKind::Am) {
    const auto prologue = input.chunk((shape & 64) != 0 ? 16 : input.take<std::uint8_t>() % 64);
    packet.header.insert(packet.header.end(), prologue.begin(), prologue.end());
  }
  const auto given = input.chunk(std::min<std::size_t>(size, input.take<std::uint8_t>()));
  packet.bytes.assign(given.begin(), given.end());
  packet.bytes.resize(size);
  if (!announce) {
    to_->lanes.front().push_back(std::move(packet));
    return;
  }
  payload_.resize(1 << 16);
  completions_.push_back(std::make_unique<ucp::Completion>());
  completions_.back()->done = [](ucp::Completion&, ucs_status_t) {};
  world_.network->transmit(*to_, {packet.header, {{{payload_.data(), size}}}, true, completions_.back().get()});
}

void Meeting::act(std::uint8_t choice) {
  switch (choice % 8) {
    case 0: return progress();
    case 1: return post();
    case 2: requests_[choice / 8 % requests_.size()]->cancel(); return;
    case 3: (void)worker_->describe(); return;
    case 4: (void)worker_->tagProbe(Tag{0}, TagMask{0}, true); return;
    case 5: world_.pass(std::chrono::milliseconds(choice)); return;
    default: return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Meeting meeting;
  Input input(data, size);
  for (int i = 0; i < 64 && !input.empty(); ++i) {
    meeting.message(input);
    meeting.act(input.take<std::uint8_t>());
  }
  return 0;
}
