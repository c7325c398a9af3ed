// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// From device to device inside a machine, where UCX can map the one's memory in the other's
// process. Here both are the host's, so that UCX moves them.

#include <algorithm>

#include "core/bulk/device_fetches.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/met.h"
#include "core/ucx_with_cuda.h"

namespace ucxx::core::test {
namespace {

constexpr Tag kMoved{4};
constexpr std::size_t kLeast = 256 << 10, kUsual = 1 << 20;

class ByUcxTest : public testing::Test {
 protected:
  explicit ByUcxTest(const char* local = "auto") : met_(local, local, false) {
    is_ucx_for_own_process = true;
    EXPECT_TRUE(met_.talks());
    met_.right->registerAmAllocator(
        UCS_MEMORY_TYPE_CUDA, [](std::size_t size) { return std::make_shared<TakenBuffer>(size); });
  }
  ~ByUcxTest() override {
    ucxWithCuda() = {};
    is_ucx_for_own_process = false;
  }

  bool wait(const Requests& requests) const {
    return compat::ended({met_.left, met_.right}, requests);
  }
  bool hasUcx() const {
    const bool has = says(met_.left, "device memory by UCX");
    EXPECT_EQ(says(met_.right, "device memory by UCX"), has);
    return has;
  }
  std::shared_ptr<Request> receive(TakenMemory& place) const {
    return met_.back->tagRecv(place.data(), place.size(), kMoved, TagMaskFull);
  }
  std::shared_ptr<Request> send(TakenMemory& source) const {
    return met_.there->tagSend(source.data(), source.size(), kMoved);
  }
  /// A message from device to device arrives.
  void expectArrival(std::size_t size = kUsual) const {
    TakenMemory source(bytes(size)), place(size);
    const Requests both{receive(place), send(source)};
    ASSERT_TRUE(wait(both)) << met_.left->describe() << met_.right->describe();
    for (const auto& request : both) EXPECT_EQ(request->getStatus(), UCS_OK);
    EXPECT_EQ(place.content(), source.content());
  }
  /// Moves both for as long as what must not happen would take.
  void pass() const {
    for (int i = 0; i < 200; ++i) {
      met_.left->progress();
      met_.right->progress();
    }
  }

  Met met_;
};

TEST_F(ByUcxTest, TagsComeInTheirTurn) {
  for (const std::size_t size : {kLeast, kUsual, (std::size_t{9} << 20) + 3}) {
    const auto host = bytes(100, 7), large = bytes(300'000, 8);
    TakenMemory source(bytes(size)), place(size);
    std::vector<std::byte> first(100), last(300'000);
    const auto late = send(source);
    pass();
    ASSERT_TRUE(wait({receive(place), late}));  // when it has come
    EXPECT_EQ(place.content(), source.content());
    std::fill_n(place.data(), size, std::byte{});
    const Requests all{met_.back->tagRecv(first.data(), first.size(), kMoved, TagMaskFull),
                       receive(place),
                       met_.back->tagRecv(last.data(), last.size(), kMoved, TagMaskFull),
                       met_.there->tagSend(host.data(), host.size(), kMoved),
                       send(source),
                       met_.there->tagSend(large.data(), large.size(), kMoved)};
    ASSERT_TRUE(wait(all));
    for (const auto& request : all) EXPECT_EQ(request->getStatus(), UCS_OK);
    EXPECT_TRUE(first == host && last == large);
    EXPECT_EQ(place.content(), source.content());
    EXPECT_TRUE(hasUcx());
  }
  EXPECT_TRUE(met_.isLocal());
  EXPECT_GE(met_.there->getTransports().size(), 2u);
  EXPECT_TRUE(met_.talks());
}

/// The kernel calls it process 0 (credentials of a socket), as it is not seen from here.
TEST_F(ByUcxTest, APeerInAnotherPidNamespaceIsAnotherProcess) {
  is_ucx_for_own_process = false;
  expectArrival();
  EXPECT_FALSE(hasUcx());
  for (const auto& endpoint : {met_.there, met_.back}) endpoint->state().inlet->peer_process = 0;
  expectArrival();
  EXPECT_TRUE(hasUcx());
}

TEST_F(ByUcxTest, ActiveMessagesAndFramesComeInMemoryOfTheAllocator) {
  const auto host = bytes(kUsual, 2);
  TakenMemory source(bytes(kUsual));
  AmSendParams blocks;
  blocks.memoryType = UCS_MEMORY_TYPE_CUDA;
  blocks.datatype = UCP_DATATYPE_IOV;
  const std::size_t part = kUsual / 3;
  const Requests all{
      met_.back->amRecv(),
      met_.back->amRecv(),
      met_.back->tagMultiRecv(kMoved, TagMaskFull, false),
      met_.there->amSend(source.data(), kUsual, UCS_MEMORY_TYPE_CUDA),
      met_.there->amSend({{source.data(), part}, {source.data() + part, kUsual - part}}, blocks),
      met_.there->tagMultiSend({host.data(), source.data(), source.data()}, {kUsual, kUsual, 100},
                               {0, 1, 1}, kMoved, false)};
  ASSERT_TRUE(wait(all));
  for (const auto& request : all) EXPECT_EQ(request->getStatus(), UCS_OK);
  const auto expect = [](Buffer& buffer, BufferType type, const std::vector<std::byte>& content) {
    EXPECT_EQ(buffer.getType(), type);
    const auto* const first = static_cast<const std::byte*>(buffer.data());
    EXPECT_TRUE(std::equal(first, first + buffer.getSize(), content.begin()));
  };
  for (const int i : {0, 1}) {
    ASSERT_EQ(all[i]->getRecvBuffer()->getSize(), kUsual);
    expect(*all[i]->getRecvBuffer(), BufferType::CCCL, source.content());
  }
  const auto& frames = static_cast<RequestTagMulti&>(*all[2])._bufferRequests;
  ASSERT_EQ(frames.size(), 3u);
  expect(*frames[0]->buffer, BufferType::Host, host);
  expect(*frames[1]->buffer, BufferType::CCCL, source.content());
  EXPECT_EQ(frames[2]->buffer->getSize(), 100u);
  expect(*frames[2]->buffer, BufferType::CCCL, source.content());
  EXPECT_TRUE(hasUcx());
}

/// The two ask each other at once.
TEST_F(ByUcxTest, BothWaysAtOnce) {
  constexpr std::size_t kMessages = 20;
  std::vector<TakenMemory> sources, places;
  for (std::size_t i = 0; i < 2 * kMessages; ++i) {
    sources.emplace_back(bytes(kLeast + i, static_cast<unsigned>(i)));
    places.emplace_back(kLeast + i);
  }
  Requests all;
  for (std::size_t i = 0; i < 2 * kMessages; ++i) {
    const auto& [from, to] =
        i % 2 == 0 ? std::pair{met_.there, met_.back} : std::pair{met_.back, met_.there};
    all.push_back(to->tagRecv(places[i].data(), places[i].size(), kMoved, TagMaskFull));
    all.push_back(from->tagSend(sources[i].data(), sources[i].size(), kMoved));
  }
  ASSERT_TRUE(wait(all));
  for (const auto& request : all) EXPECT_EQ(request->getStatus(), UCS_OK);
  for (std::size_t i = 0; i < 2 * kMessages; ++i)
    EXPECT_EQ(places[i].content(), sources[i].content()) << i;
  EXPECT_TRUE(hasUcx());
}

TEST_F(ByUcxTest, WhatIsShorterIsStaged) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{50'000}, kLeast - 1})
    expectArrival(size);
  EXPECT_FALSE(hasUcx());
}

/// A piece of a stream has no place of its own.
TEST_F(ByUcxTest, StreamsAreStaged) {
  TakenMemory source(bytes(kUsual)), place(2 * kUsual);
  const auto host = bytes(kUsual, 2);
  const Requests all{met_.there->streamSend(source.data(), kUsual, false),
                     met_.there->streamSend(host.data(), kUsual, false),
                     met_.back->streamRecv(place.data(), 2 * kUsual, false)};
  ASSERT_TRUE(wait(all));
  EXPECT_TRUE(std::equal(host.begin(), host.end(), place.data() + kUsual));
  EXPECT_TRUE(std::equal(source.data(), source.data() + kUsual, place.data()));
  EXPECT_FALSE(hasUcx());
}

/// UCX cannot map the one or the other, or need not.
TEST_F(ByUcxTest, IntoOrFromOtherMemoryIsStaged) {
  for (const bool from_handle : {false, true}) {
    TakenMemory source(bytes(kUsual), from_handle), place(kUsual, !from_handle);
    ASSERT_TRUE(wait({receive(place), send(source)}));
    EXPECT_EQ(place.content(), source.content());
  }
  TakenMemory device(bytes(kUsual));
  std::vector<std::byte> host(kUsual);
  ASSERT_TRUE(wait({met_.back->tagRecv(host.data(), kUsual, kMoved, TagMaskFull), send(device)}));
  EXPECT_EQ(host, device.content());
  std::fill_n(device.data(), kUsual, std::byte{});
  ASSERT_TRUE(wait({receive(device), met_.there->tagSend(host.data(), kUsual, kMoved)}));
  EXPECT_EQ(device.content(), host);
  EXPECT_FALSE(hasUcx());
}

/// Nobody has received it.
TEST_F(ByUcxTest, ACancelledSendAsksForNothing) {
  TakenMemory source(bytes(kUsual)), place(kUsual);
  const auto sent = send(source);
  pass();
  EXPECT_FALSE(sent->isCompleted());
  sent->cancel();
  ASSERT_TRUE(wait({sent}));
  EXPECT_EQ(sent->getStatus(), UCS_ERR_CANCELED);
  const auto received = receive(place);
  pass();
  EXPECT_FALSE(received->isCompleted() || hasUcx());
  const auto again = send(source);
  ASSERT_TRUE(wait({again, received}));
  EXPECT_EQ(place.content(), source.content());
  EXPECT_TRUE(hasUcx());
}

/// Its receive has asked: what follows it goes on.
TEST_F(ByUcxTest, ACancelOnTheWayIsNoEndOfOthers) {
  TakenMemory source(bytes(kUsual)), place(kUsual);
  const auto received = receive(place);
  const auto sent = send(source);
  met_.left->progress();
  met_.right->progress();
  sent->cancel();
  received->cancel();
  ASSERT_TRUE(wait({sent, received}));
  expectArrival();
  EXPECT_TRUE(met_.talks());
}

TEST_F(ByUcxTest, ACloseEndsWhatIsUnderWay) {
  for (const bool is_receivers : {false, true}) {
    for (int rounds = 0; rounds < 12; ++rounds) {
      TakenMemory source(bytes(kUsual)), place(kUsual);
      auto there = met_.left->createEndpointFromWorkerAddress(met_.right->getAddress());
      auto back = met_.right->createEndpointFromWorkerAddress(met_.left->getAddress());
      const Requests both{back->tagRecv(place.data(), kUsual, kMoved, TagMaskFull),
                          there->tagSend(source.data(), kUsual, kMoved)};
      for (int i = 0; i < rounds; ++i) {
        met_.left->progress();
        met_.right->progress();
      }
      const auto close = is_receivers ? back->close() : there->close();
      ASSERT_TRUE(wait({close, both[1]})) << rounds;
      back->cancelInflightRequests();
      ASSERT_TRUE(wait(both)) << rounds;
      const bool has_come = both[0]->getStatus() == UCS_OK;
      EXPECT_TRUE(!has_come || place.content() == source.content()) << rounds;
      const auto came = place.content();
      pass();
      EXPECT_EQ(place.content(), came) << "written late, after " << rounds;
    }
  }
  EXPECT_TRUE(met_.talks());
  expectArrival();
}

/// It is staged then, and never asked for by UCX again.
TEST_F(ByUcxTest, ASenderThatCannotStartUcxSaysSo) {
  ucxWithCuda().makes_workers = false;
  expectArrival();
  EXPECT_FALSE(hasUcx());
  ucxWithCuda().makes_workers = true;
  expectArrival();
  EXPECT_FALSE(hasUcx());
  EXPECT_TRUE(met_.talks());
}

/// The sender's UCX has started, and that of the receiver cannot.
TEST_F(ByUcxTest, AReceiverThatCannotStartUcxGetsItAllTheSame) {
  (void)met_.left->getHandle();
  ucxWithCuda().makes_workers = false;
  std::vector<TakenMemory> sources, places;
  Requests all;
  for (unsigned i = 0; i < 5; ++i) {
    sources.emplace_back(bytes(kUsual, i));
    places.emplace_back(kUsual);
    all.push_back(receive(places.back()));
    all.push_back(send(sources.back()));
  }
  ASSERT_TRUE(wait(all));
  for (std::size_t i = 0; i < sources.size(); ++i)
    EXPECT_EQ(places[i].content(), sources[i].content()) << i;
  EXPECT_FALSE(hasUcx());
  EXPECT_TRUE(met_.talks());
}

TEST_F(ByUcxTest, AUcxWithoutCudaIsNotAsked) {
  ucxWithCuda().knows_cuda = false;
  expectArrival();
  EXPECT_FALSE(hasUcx());
}

/// `end` explains how `size` bytes of a device's would go, and says all of these.
void expectSaid(Endpoint& end, std::size_t size, const std::vector<std::string>& words) {
  const std::string said = end.explain(size, UCS_MEMORY_TYPE_CUDA).toString();
  for (const std::string& word : words) EXPECT_NE(said.find(word), std::string::npos) << said;
}

TEST_F(ByUcxTest, IsExplained) {
  expectSaid(*met_.there, 0, {"channel: local", "in one record of the ring"});
  expectSaid(*met_.there, kLeast - 1, {"channel: local", "staged by its sender", "not below"});
  expectSaid(*met_.there, kUsual,
             {"channel: local", "staged by its sender", "or by UCX",
              "only between buffers with an IPC handle"});
  ucxWithCuda().knows_cuda = false;
  const auto own = met_.left->createEndpointFromWorkerAddress(met_.left->getAddress());
  expectSaid(*own, kUsual, {"channel: self", "copied by the loop"});
  for (const char* const local : {"auto", "off"}) {
    Met other(local, local, false);
    ASSERT_TRUE(other.talks());
    expectSaid(*other.there, kUsual, {"does not reach the memory of devices"});
  }
}

class ByUcxOnlyTest : public ByUcxTest {
 protected:
  ByUcxOnlyTest() : ByUcxTest("only") {}
};

TEST_F(ByUcxOnlyTest, NeverAsksForUcx) {
  expectArrival();
  expectArrival(100);
  for (const auto& worker : {met_.left, met_.right})
    EXPECT_TRUE(says(worker, "UCX not started")) << worker->describe();
  expectSaid(*met_.there, kUsual, {"channel: local", "staged by its sender"});
  EXPECT_TRUE(met_.talks());
}

}  // namespace
}  // namespace ucxx::core::test
