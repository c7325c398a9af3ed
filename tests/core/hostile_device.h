// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/channel/channels.h"
#include "core/hostile_local.h"
#include "core/meet/links.h"
#include "core/ucx_with_cuda.h"

namespace ucxx::core::test {

/// The same for payloads in memory of devices, which UCX may carry.
class HostileDeviceTest : public HostileLocalTest {
 protected:
  using Address = std::vector<std::byte>;
  static constexpr auto kAsk = MessageKind::UcxAsk;
  static constexpr auto kAnswer = MessageKind::UcxAnswer;
  static constexpr auto kStage = MessageKind::Stage;
  static constexpr auto kStagedTaken = MessageKind::StagedTaken;
  static constexpr auto kFetchByUcx = MessageKind::FetchByUcx;

  HostileDeviceTest() {
    is_ucx_for_own_process = true;
    local_ = "auto";
    options_.cuda_buffer_type = BufferType::Host;
  }
  ~HostileDeviceTest() override {
    is_ucx_for_own_process = false;
    for (std::byte* const each : taken_) stand_in::giveBackTaken(each);
  }

  /// From now on the driver takes a buffer of the worker's for a device's.
  void take(Room& room, bool has_ipc_handle = true) {
    stand_in::takeMoreForDeviceMemory(room.data(), room.size(), has_ipc_handle);
    taken_.push_back(room.data());
  }
  /// The worker announces a payload of a device. Returns its number.
  std::uint64_t sendFromDevice(std::size_t size = kSize, bool has_ipc_handle = false) {
    const auto content = bytes(size, 5);
    post(size, [&](Room& room) {
      std::copy(content.begin(), content.end(), room.data());
      take(room, has_ipc_handle);
      return ends_[0]->tagSend(room.data(), size, kTag);
    });
    settle();
    const auto expected = has_ipc_handle ? Announces::OnDeviceByHandle : Announces::OnDevice;
    EXPECT_EQ(last(MessageKind::Tag).header.announces, static_cast<int>(expected));
    return ++announced_;
  }
  /// A receive of the worker's into memory of a device.
  Room& receiveOnDevice(std::size_t size = kSize) {
    return post(size, [&](Room& room) {
      take(room);
      return worker_->tagRecv(room.data(), size, kTag, TagMaskFull);
    });
  }
  /// The peer announces a tag message from a device. Returns its number.
  std::uint64_t announceOnDevice(std::size_t length = kSize, Announces how = Announces::OnDevice) {
    WireHeader header = peer_->next(MessageKind::Tag);
    header.argument = kTag;
    header.length = length;
    header.announces = static_cast<std::uint8_t>(how);
    peer_->send(header);
    return ++announced_by_peer_;
  }

  /// Its link has ended: another one is to be met.
  void forgetPeer() {
    for (auto& end : ends_) end = nullptr;
    pending_ = nullptr;
    announced_ = announced_by_peer_ = 0;
  }

  /// That UCX can read: of another worker.
  const Address& address() { return linksOf(honest_->loop()).ucxAddress(); }
  void sendAddress(MessageKind kind, const Address& its, std::uint64_t argument = 0) {
    WireHeader header = peer_->next(kind);
    header.length = its.size();
    header.argument = argument;
    peer_->send(header, its);
  }
  void meetByUcx() {
    sendAddress(kAsk, address());
    ASSERT_TRUE(until([&] { return heard(kAnswer) == 1; }));
  }
  /// By UCX, for the worker's link with this peer; `payload` as UCX announces it. True: the worker
  /// has thrown it away.
  bool sendByUcx(WireHeader header, const std::vector<std::byte>& payload = {}) {
    const ucp::Endpoint::Failure ignored{nullptr, [](void*, ucs_status_t) {}};
    ucp::Endpoint endpoint(channelsOf(honest_->loop()).ensureUcp(),
                           linksOf(worker_->loop()).ucxAddress(), ignored);
    struct Sent final : base::Completion {
      bool ended = false;
    } sent, closed;
    sent.done = closed.done = [](base::Completion& self, ucs_status_t) {
      static_cast<Sent&>(self).ended = true;
    };
    header.link = peer_->linkName();
    const auto dropped = worker_->stats().dropped_messages;
    const auto head = std::as_bytes(std::span(&header, 1));
    const bool is_announced = !payload.empty();
    const auto move = [&] { channelsOf(honest_->loop()).ucp().progress(); };
    sent.ended =
        endpoint.send(head, payload.data(), payload.size(), is_announced, sent) != UCS_INPROGRESS;
    const auto was_dropped = [&] { return worker_->stats().dropped_messages != dropped; };
    EXPECT_TRUE(until(
        [&] { return move(), sent.ended && (is_announced || was_dropped() || !isLinked()); }));
    closed.ended = endpoint.close(closed) != UCS_INPROGRESS;
    EXPECT_TRUE(until([&] { return move(), closed.ended; }));
    return was_dropped();
  }

 private:
  std::vector<std::byte*> taken_;
  std::uint64_t announced_by_peer_ = 0;
};

}  // namespace ucxx::core::test
