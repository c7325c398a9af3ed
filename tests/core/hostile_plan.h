// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <ucxx/prepared.h>

#include "core/hostile_local.h"
#include "core/plan/plan_wire.h"

namespace ucxx::core::test {

/// A peer of this machine that says anything of prepared transfers.
class HostilePlanTest : public HostileLocalTest {
 protected:
  static constexpr std::uint64_t kEach = 64, kCount = 4;
  struct Part {
    std::uint64_t plan = 1;
    std::uint32_t first = 0, iteration = 1;
    std::uint64_t length = kEach;
    std::uint64_t bytes = kEach;
  };
  PlanOffer offer() const { return {1, {kEach * kCount, kCount}, 0}; }
  static PlanAnswer answer() { return {{kEach * kCount, kCount}, 0, 0}; }

  void tell(MessageKind kind, const void* body, std::size_t size, std::uint64_t plan = 1) {
    WireHeader header = next(kind);
    if (kind == MessageKind::PlanOffer)
      header.argument = kTag;
    else
      header.endpoint = plan;
    header.length = size;
    peer_->send(header, {static_cast<const std::byte*>(body), size});
  }
  void tell(const PlanOffer& body) { tell(MessageKind::PlanOffer, &body, sizeof body); }
  void tell(const PlanAnswer& body, std::uint64_t plan = 1) {
    tell(MessageKind::PlanAnswer, &body, sizeof body, plan);
  }
  /// About a plan: of the worker's sends, or of this peer's.
  void say(MessageKind kind, std::uint64_t plan, std::uint64_t argument, bool is_workers) {
    WireHeader header = peer_->next(kind);
    header.endpoint = plan;
    header.argument = argument;
    header.sender_opened = is_workers ? 0 : 1;
    peer_->send(header);
  }
  void send(const Part& part) {
    WireHeader header = peer_->next(MessageKind::PlanData);
    header.endpoint = part.plan;
    header.argument = PlanPart{part.first, part.iteration}.word();
    header.length = part.length;
    peer_->send(header, std::span(payload_).first(part.bytes));
  }

  /// The worker receives what this peer has offered, and is ready.
  void receive(std::size_t count = kCount) {
    receive_ = ends_[0]->prepareRecv(room_.data(), room_.size(), kTag, {count});
    receive_->start();
    tell(offer());
    ASSERT_TRUE(until([&] { return heard(MessageKind::PlanReady) == 1; }));
    EXPECT_EQ(last(MessageKind::PlanReady).header.argument, 1u);
  }
  /// The worker has a send, and this peer its offer.
  void sendFromWorker() {
    send_ = ends_[0]->prepareSend(payload_.data(), kEach * kCount, kTag, {kCount});
    send_->start();
    ASSERT_TRUE(until([&] { return heard(MessageKind::PlanOffer) == 1; }));
    ASSERT_EQ(last(MessageKind::PlanOffer).payload.size(), sizeof offered_);
    std::memcpy(&offered_, last(MessageKind::PlanOffer).payload.data(), sizeof offered_);
  }
  void expectPlansEnd(ucs_status_t status) {
    expectEnds(status);
    for (const std::shared_ptr<Prepared>& plan :
         {std::shared_ptr<Prepared>(receive_), std::shared_ptr<Prepared>(send_)})
      EXPECT_TRUE(plan == nullptr || plan->getStatus() == status) << plan->describe();
    EXPECT_TRUE(room_.isWhole());
    receive_ = nullptr;
    send_ = nullptr;
  }
  void expectStays() {
    settle();
    EXPECT_TRUE(isLinked());
  }

  Room room_{kEach * kCount};
  const std::vector<std::byte> payload_ = bytes(kEach * kCount * 2, 7);
  PlanOffer offered_;
  std::shared_ptr<PreparedRecv> receive_;
  std::shared_ptr<PreparedSend> send_;
};

}  // namespace ucxx::core::test
