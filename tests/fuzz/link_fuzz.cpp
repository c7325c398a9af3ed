// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A peer that passed the door and then sends anything: a worker over the simulated channel of
// tests/sim, a link that is up, receives and endpoints on it. Whatever comes, nothing crashes, no
// memory is taken that the peer does not pay for, and in the end everything has ended.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <ucxx/api.h>

#include "core/plan/plan_wire.h"
#include "core/request/handles.h"
#include "core/wire/wire.h"
#include "fuzz/require.h"
#include "sim/hostile_peer.h"

namespace {

using namespace ucxx;
using ucxx::fuzz::require;

/// Takes numbers from the front of the input; zeros behind its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : bytes_(std::as_bytes(std::span(data, size))) {}
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

bool isPlanBody(core::MessageKind kind) noexcept {
  return kind == core::MessageKind::PlanOffer || kind == core::MessageKind::PlanAnswer;
}

/// The worker, and its peer that is only what the input says.
class Meeting {
 public:
  Meeting() : peer_(options()) {
    prepared_.reserve(kMostPrepared);
    worker().registerAmReceiverCallback({"fuzz", 1}, [](std::shared_ptr<Request>, ucp_ep_h) {});
    post();
    prepare();
  }
  ~Meeting() {
    // Its own bytes are the fuzzer's: the end of the peer is always clean.
    requests_.clear();
    for (End& end : prepared_) end.send = nullptr, end.receive = nullptr;
    peer_.end();
    for (const End& end : prepared_) require(end.isUntouchedBeside());
    require(peer_.world.complaints.empty());
    require(ended_ == posted_);
  }

  void message(Input& input);
  void act(std::uint8_t choice);

 private:
  static constexpr std::size_t kPart = 16, kParts = 4, kMostPrepared = 16;
  /// One end of a prepared transfer, whose buffer has a part before it and after it.
  struct End {
    std::vector<std::byte> room = std::vector<std::byte>((kParts + 2) * kPart);
    std::shared_ptr<PreparedSend> send;  // or
    std::shared_ptr<PreparedRecv> receive;
    bool isUntouchedBeside() const {
      const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
      return std::all_of(room.begin(), room.begin() + kPart, is_zero) &&
             std::all_of(room.end() - kPart, room.end(), is_zero);
    }
  };
  static WorkerOptions options() {
    WorkerOptions options;
    options.unexpected_bytes = 1 << 16;
    options.multi_bytes = 1 << 20;
    options.multi_frames = 64;
    return options;
  }
  Worker& worker() const { return *peer_.worker; }
  RequestCallbackUserFunction told() {
    ++posted_;
    return [this](ucs_status_t, const std::shared_ptr<void>&) { ++ended_; };
  }
  void post();
  void prepare();
  void startOrReady(std::uint8_t choice);
  void closeOne(std::uint8_t choice);
  static std::vector<std::byte> planBody(core::WireHeader& header, Input& input);

  std::vector<End> prepared_;  // none moves: they have their room
  sim::HostilePeer peer_;
  std::vector<std::shared_ptr<Request>> requests_;
  std::vector<std::byte> room_ = std::vector<std::byte>(1 << 16);
  int posted_ = 0, ended_ = 0;
};

void Meeting::post() {
  requests_.push_back(worker().tagRecv(room_.data(), 1000, Tag{1}, TagMaskFull, false, told()));
  requests_.push_back(
      worker().tagRecv(room_.data(), room_.size(), Tag{0}, TagMask{2}, false, told()));
  for (const auto& end : peer_.ends) {
    requests_.push_back(end->tagMultiRecv(Tag{1}, TagMask{0}));
    requests_.push_back(end->amRecv(false, told()));
    requests_.push_back(end->streamRecv(room_.data(), 3000, false));
    requests_.push_back(end->tagSend(room_.data(), 3000, Tag{1}, false, told()));
  }
}

/// A send and a receive at each endpoint, started at every second one.
void Meeting::prepare() {
  for (std::size_t i = 0; i < peer_.ends.size() && prepared_.size() + 2 <= kMostPrepared; ++i) {
    const auto& end = peer_.ends[i];
    End& sender = prepared_.emplace_back();
    sender.send = end->prepareSend(sender.room.data() + kPart, kParts * kPart, Tag{3}, {kParts});
    End& receiver = prepared_.emplace_back();
    receiver.receive =
        end->prepareRecv(receiver.room.data() + kPart, kParts * kPart, Tag{3}, {kParts});
    if (i % 2 != 0) continue;
    sender.send->start();
    receiver.receive->start();
  }
}

void Meeting::startOrReady(std::uint8_t choice) {
  End& end = prepared_[choice % prepared_.size()];
  if (end.receive != nullptr && end.receive->isCompleted()) end.receive->start();
  if (end.send == nullptr) return;
  if (end.send->isCompleted()) return end.send->start();
  try {
    end.send->ready(choice / 16 % kParts);
  } catch (const InvalidParamError&) {  // for the second time
  }
}

void Meeting::closeOne(std::uint8_t choice) {
  const End& end = prepared_[choice % prepared_.size()];
  if (end.send != nullptr) requests_.push_back(end.send->close(told()));
  if (end.receive != nullptr) requests_.push_back(end.receive->request(told()));
  if (end.receive != nullptr && choice >= 160) requests_.push_back(end.receive->close(told()));
}

/// Of an offer or an answer: sizes that mostly fit, numbers that are mostly small.
std::vector<std::byte> Meeting::planBody(core::WireHeader& header, Input& input) {
  const auto shape = input.take<std::uint8_t>();
  core::PlanOffer offer{input.take<std::uint8_t>(), {kParts * kPart, kParts}, 0};
  if ((shape & 1) != 0) offer.shape.partitions = input.take<std::uint8_t>();
  if ((shape & 2) != 0) offer.shape.bytes = input.take<std::uint32_t>();
  if ((shape & 4) != 0) offer.ready = input.take<std::uint64_t>();
  core::PlanAnswer answer{offer.shape, 0, offer.ready};
  if ((shape & 8) != 0) answer.data = input.take<std::uint64_t>();
  const bool is_offer = header.kind == core::MessageKind::PlanOffer;
  const auto* first = is_offer ? reinterpret_cast<const std::byte*>(&offer)
                               : reinterpret_cast<const std::byte*>(&answer);
  header.length = sizeof(core::PlanOffer);
  return {first, first + sizeof(core::PlanOffer)};
}

/// A header with the right name of the link and a sequence number that is mostly right.
void Meeting::message(Input& input) {
  core::WireHeader header;
  const auto shape = input.take<std::uint8_t>();
  header.kind =
      static_cast<core::MessageKind>(1 + input.take<std::uint8_t>() % core::kLastMessageKind);
  header.link = peer_.link;
  header.sequence =
      (shape & 1) != 0 ? peer_.sequence + input.take<std::uint8_t>() % 4 : peer_.sequence++;
  header.sender_opened = (shape >> 1) & 1;
  const auto whose = input.take<std::uint8_t>();
  const auto* handle = whose < 128 ? peer_.ends[whose % peer_.ends.size()]->getHandle() : nullptr;
  header.endpoint = handle != nullptr ? core::idOf(handle) : whose;
  header.argument = (shape & 4) != 0 ? input.take<std::uint64_t>() : input.take<std::uint16_t>();
  if (header.kind == core::MessageKind::PlanOffer) header.argument %= 4;  // the tag
  if (core::isOfPlan(header.kind) && header.kind != core::MessageKind::PlanOffer)
    header.endpoint = whose % 16;
  if (header.kind == core::MessageKind::PlanData && (shape & 4) == 0)
    header.argument =
        core::PlanPart{whose / 16u % 5u, static_cast<std::uint32_t>(header.argument)}.word();
  if (isPlanBody(header.kind) && (shape & 64) == 0) {
    auto body = planBody(header, input);
    return peer_.send(header, std::move(body));
  }
  const std::size_t size = input.take<std::uint16_t>() % 40'000;
  header.length = (shape & 8) != 0    ? input.take<std::uint64_t>()
                  : (shape & 16) != 0 ? size * 3
                                      : size;
  header.announces = shape >> 7;
  std::span<const std::byte> prologue;
  if (header.kind == core::MessageKind::Am)
    prologue = input.chunk((shape & 64) != 0 ? 16 : input.take<std::uint8_t>() % 64);
  const auto given = input.chunk(std::min<std::size_t>(size, input.take<std::uint8_t>()));
  if ((shape & 32) != 0) return peer_.announce(header, size, prologue);
  std::vector<std::byte> bytes(given.begin(), given.end());
  bytes.resize(header.announces == 0 ? size : 0);
  peer_.send(header, std::move(bytes), prologue);
}

void Meeting::act(std::uint8_t choice) {
  switch (choice % 8) {
    case 0:
      return peer_.progress();
    case 1:
      return post();
    case 2:
      requests_[choice / 8 % requests_.size()]->cancel();
      return;
    case 3:
      (void)worker().describe();
      return;
    case 4:
      (void)worker().tagProbe(Tag{0}, TagMask{0}, true);
      return;
    case 5:
      peer_.world.pass(std::chrono::milliseconds(choice));
      return;
    case 6:
      return startOrReady(choice / 8);
    default:
      if (choice >= 64) closeOne(choice);
      return;
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
