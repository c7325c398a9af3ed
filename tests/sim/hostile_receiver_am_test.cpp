// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer that passed the door and announces active messages for a registered receiver, more than
// may come at a time.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "sim/hostile_fixture.h"

namespace ucxx::sim {
namespace {

using core::MessageKind;

std::vector<std::byte> prologueFor(const AmReceiverCallbackInfo& receiver) {
  core::AmPrologue prologue;
  prologue.callback = receiver;
  auto bytes = core::writeAmHeader({}, prologue);
  bytes.erase(bytes.begin(), bytes.begin() + sizeof(core::WireHeader));
  return bytes;
}

class HostileReceiverAmTest : public HostileTest {
 protected:
  HostileReceiverAmTest() {
    peer_.worker->registerAmReceiverCallback(
        receiver_, [this](std::shared_ptr<Request> request, ucp_ep_h) {
          ++(request->getStatus() == UCS_OK ? received_ : failed_);
        });
  }
  /// By our own means, or UCX's.
  void announce(std::size_t length, bool by_ucx = false) {
    core::WireHeader header = next(MessageKind::Am);
    header.length = length;
    header.announces = by_ucx ? 0 : 1;
    by_ucx ? peer_.announce(header, length, prologue_) : peer_.send(header, {}, prologue_);
  }
  std::size_t fetched() const {
    const auto headers = peer_.received();
    return std::count_if(headers.begin(), headers.end(),
                         [](const auto& one) { return one.kind == MessageKind::Fetch; });
  }

  const AmReceiverCallbackInfo receiver_{"hostile", 1};
  const std::vector<std::byte> prologue_ = prologueFor(receiver_);
  std::size_t received_ = 0, failed_ = 0;
};

TEST_F(HostileReceiverAmTest, SmallOnesThatNeverComeAreFew) {
  std::size_t most = 0;
  for (int i = 0; i < 10'000 && peer_.isLinked(); ++i) {
    announce(1);
    if (i % 100 != 0) continue;
    peer_.progress();
    most = std::max(most, fetched());
  }
  expectEnds(UCS_ERR_NO_MEMORY);
  EXPECT_LE(most, 2000u);
}

class HostileHeldTest : public HostileReceiverAmTest, public testing::WithParamInterface<bool> {};

TEST_P(HostileHeldTest, AreToldWhenTheLinkEnds) {
  for (int i = 0; i < 3; ++i) announce(60'000, GetParam());
  peer_.progress();
  peer_.send(peer_.next(MessageKind::Fragment));  // which none is missing
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(received_ + failed_, 3u);
}

TEST_P(HostileHeldTest, AreToldWhenTheEndpointCloses) {
  for (int i = 0; i < 3; ++i) announce(60'000, GetParam());
  peer_.progress();
  peer_.ends[0] = nullptr;
  peer_.progress();
  EXPECT_TRUE(peer_.isLinked());
  EXPECT_GE(received_ + failed_, 2u);
}

INSTANTIATE_TEST_SUITE_P(All, HostileHeldTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "ByUcx" : "Ours"; });

}  // namespace
}  // namespace ucxx::sim
