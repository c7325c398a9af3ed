// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// UCX is made when something needs it, and what is wrong with it is told then.

#include <string>

#include "core/met.h"
#include "core/tcp_sockets.h"

namespace ucxx::core::test {
namespace {

class LateUcxTest : public testing::TestWithParam<bool> {};

TEST_P(LateUcxTest, LocalPeersNeedNone) {
  const bool by_name = GetParam();
  Met met("auto", "auto", by_name);
  ASSERT_TRUE(met.talks());
  ASSERT_TRUE(met.isLocal());
  for (const auto& worker : {met.left, met.right})
    EXPECT_TRUE(says(worker, "UCX not started")) << worker->describe();
  if (by_name) {
    const std::size_t per_listener = tcpSockets().listening;
    EXPECT_GE(per_listener, 1u);
    EXPECT_LE(per_listener, 2u);  // a wildcard of each family
  } else {
    // The doors of each worker are those of a worker that has met nobody.
    const auto before = tcpSockets();
    auto third = workerWith("auto");
    (void)third->getAddress();
    EXPECT_EQ(before.listening, 2 * (tcpSockets().listening - before.listening));
  }
  EXPECT_EQ(tcpSockets().others, 0u);
}

TEST_P(LateUcxTest, HandleMakesIt) {
  Met met("auto", "auto", GetParam());
  ASSERT_TRUE(met.talks());
  EXPECT_NE(met.left->getHandle(), nullptr);
  EXPECT_TRUE(says(met.left, "UCX started"));
  EXPECT_TRUE(says(met.right, "UCX not started"));
  ASSERT_TRUE(met.talks());
  EXPECT_TRUE(met.isLocal());
}

TEST_P(LateUcxTest, PeerWithoutLocalChannelMakesIt) {
  Met met("auto", "off", GetParam());
  ASSERT_TRUE(met.talks());
  EXPECT_TRUE(says(met.left, "UCX started"));
}

TEST_P(LateUcxTest, WakesASleeper) {
  for (const auto& [left, right] : {std::pair{"auto", "off"}, {"off", "auto"}}) {
    Met met(left, right, GetParam());
    met.left->startProgressThread({ProgressMode::Blocking, {}});
    met.right->startProgressThread({ProgressMode::Blocking, {}});
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(met.talks()) << i;
    met.left->stopProgressThread();
    met.right->stopProgressThread();
  }
}

INSTANTIATE_TEST_SUITE_P(By, LateUcxTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Name" : "Address"; });

TEST(LateUcxTest, OffMakesItAtOnce) { EXPECT_TRUE(says(workerWith("off"), "UCX started")); }

/// A worker whose listener accepts everybody.
struct Host {
  explicit Host(const char* local) : worker(workerWith(local)) {
    listener = worker->createListener(
        0,
        [](ucp_conn_request_h request, void* self) {
          auto& host = *static_cast<Host*>(self);
          host.accepted.push_back(host.listener->createEndpointFromConnRequest(request));
        },
        this);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  std::shared_ptr<Worker> worker;
  std::shared_ptr<Listener> listener;
  std::vector<std::shared_ptr<Endpoint>> accepted;
};

TEST(LateUcxTest, CrossingCalls) {
  for (int i = 0; i < 10; ++i) {
    Host left("auto"), right(i % 2 == 0 ? "off" : "auto");
    auto there = left.worker->createEndpointFromHostname("127.0.0.1", right.listener->getPort());
    auto back = right.worker->createEndpointFromHostname("127.0.0.1", left.listener->getPort());
    const int out = 42;
    int in[2] = {0, 0};
    const Tag tag{7};
    ASSERT_TRUE(
        compat::ended({left.worker, right.worker},
                      {there->tagSend(&out, sizeof out, tag), back->tagSend(&out, sizeof out, tag),
                       left.worker->tagRecv(&in[0], sizeof out, tag, TagMaskFull),
                       right.worker->tagRecv(&in[1], sizeof out, tag, TagMaskFull)}))
        << left.worker->describe() << right.worker->describe();
    EXPECT_EQ(in[0] + in[1], 84);
    EXPECT_TRUE(there->isAlive() && back->isAlive());
  }
}

const ConfigMap kBroken{{"TLS", "nonsense"}};

TEST(LateUcxTest, LocalPeersDoNotNoticeThatItIsBroken) {
  Met met(workerWith("auto", kBroken), workerWith("auto", kBroken), true);
  ASSERT_TRUE(met.talks());
  EXPECT_TRUE(met.isLocal());
}

TEST(LateUcxTest, CallerTellsWhatIsBroken) {
  Met met(workerWith("auto", kBroken), workerWith("off"), true);
  const std::string failure = met.failure();
  EXPECT_NE(failure.find("TLS=nonsense"), std::string::npos) << failure;
  EXPECT_NE(failure.find("127.0.0.1"), std::string::npos) << failure;
  EXPECT_THROW((void)met.left->getHandle(), NoDeviceError);
  EXPECT_THROW((void)met.left->getInfo(), NoDeviceError);
}

TEST(LateUcxTest, CallerOfABrokenOneIsToldSo) {
  Met met(workerWith("off"), workerWith("auto", kBroken), true);
  const std::string failure = met.failure();
  EXPECT_NE(failure.find("UCX does not start at the peer"), std::string::npos) << failure;
}

TEST(LateUcxTest, RequestsOfABrokenCallEnd) {
  Met met(workerWith("auto", kBroken), workerWith("off"), true);
  std::vector<std::byte> bytes(100'000);
  const Requests requests{met.there->tagSend(bytes.data(), bytes.size(), Tag{1}),
                          met.there->amRecv(), met.there->streamRecv(bytes.data(), 8, true)};
  ASSERT_TRUE(compat::ended({met.left, met.right}, requests));
  for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_ERR_NO_DEVICE);
}

TEST(LateUcxTest, OffTellsAtOnceWhatIsBroken) {
  EXPECT_THROW((void)workerWith("off", kBroken), NoDeviceError);
}

/// It was accepted before that was known.
TEST(LateUcxTest, HeaderThatUcxDoesNotTakeEndsItsRequestAlone) {
  for (const char* right : {"auto", "off"}) {
    Met met(workerWith("auto", {{"TCP_TX_SEG_SIZE", "4k"}}), workerWith(right), true);
    AmSendParams params;
    params.userHeader.assign(5000, std::byte{1});
    const char byte = 1;
    auto sent = met.there->amSend(&byte, 1, params);
    ASSERT_TRUE(compat::ended({met.left, met.right}, {sent}));
    const bool is_local = std::string(right) == "auto";
    EXPECT_EQ(sent->getStatus(), is_local ? UCS_OK : UCS_ERR_EXCEEDS_LIMIT);
    EXPECT_EQ(met.left->queryAttributes().maxAmHeader < 5000, !is_local);
    EXPECT_TRUE(met.talks());
  }
}

}  // namespace
}  // namespace ucxx::core::test
