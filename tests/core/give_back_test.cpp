// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Receives that give their messages back.

#include <deque>
#include <functional>
#include <tuple>

#include <sys/resource.h>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

enum class Channel { Self, Local, Ucx };

std::string nameOf(Channel channel) {
  const char* names[] = {"Self", "Local", "Ucx"};
  return names[static_cast<int>(channel)];
}
Route routeOf(Channel channel) { return channel == Channel::Self ? Route::Self : Route::Listener; }
ConfigMap configOf(Channel channel) {
  return channel == Channel::Ucx ? ConfigMap{{"UCXX_LOCAL", "off"}} : ConfigMap{};
}

constexpr Move kReceives[] = {Move::Tag,    Move::TagIov, Move::Wildcard,
                              Move::Stream, Move::Am,     Move::Multi};

class GiveBackTest : public testing::TestWithParam<std::tuple<Channel, Mode>> {
 protected:
  static Channel channel() { return std::get<0>(GetParam()); }

  std::shared_ptr<Request> sendNumber(std::uint32_t number) {
    numbers_.push_back(number);
    return ends_.left->tagSend(&numbers_.back(), sizeof number, kTag);
  }
  /// Sends so many, 0, 1, ..., and waits until the last one has come.
  void sendNumbers(std::uint32_t count) {
    Requests sends;
    for (std::uint32_t i = 0; i < count; ++i) sends.push_back(sendNumber(i));
    sends.push_back(ends_.left->tagSend(nullptr, 0, Tag{1}));
    ASSERT_TRUE(ends_.ended(sends));
    ASSERT_TRUE(ends_.arrived(ends_.right_worker, Tag{1}));
    ASSERT_TRUE(ends_.ended({ends_.right->tagRecv(nullptr, 0, Tag{1})}));
  }
  void expectNumbers(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i) {
      std::uint32_t number = ~0u;
      ASSERT_TRUE(ends_.ended({ends_.right->tagRecv(&number, sizeof number, kTag)})) << i;
      ASSERT_EQ(number, i);
    }
  }

  Ends ends_{routeOf(channel()), std::get<1>(GetParam()), {}, configOf(channel())};
  Received received_;
  std::deque<std::uint32_t> numbers_;
};

TEST_P(GiveBackTest, TheNextReceiveGetsIt) {
  for (const Move move : kReceives) {
    for (const std::size_t size : {std::size_t{100}, kAnnouncedBytes}) {
      SCOPED_TRACE(nameOf(move) + " " + std::to_string(size));
      Sending sending(move, *ends_.left, bytes(size));
      Receiving first(move, *ends_.right, size, received_);
      ASSERT_TRUE(ends_.ended({sending.request, first.request}));
      EXPECT_TRUE(first.request->giveBack());
      EXPECT_EQ(first.request->getStatus(), UCS_ERR_CANCELED);
      EXPECT_EQ(first.request->getReceivedLength(), 0u);
      EXPECT_TRUE(first.payload().empty());
      EXPECT_THROW(first.request->checkError(), CanceledError);
      EXPECT_FALSE(first.request->giveBack());
      Receiving second(move, *ends_.right, size, received_);
      ASSERT_TRUE(ends_.ended({second.request}));
      EXPECT_TRUE(second.payload() == sending.payload());
      if (move == Move::Tag) {
        EXPECT_EQ(second.request->getSenderTag(), kTag);
      }
    }
  }
}

TEST_P(GiveBackTest, AReceiveThatWaitsGetsIt) {
  for (const Move move : kReceives) {
    SCOPED_TRACE(nameOf(move));
    Receiving first(move, *ends_.right, 100, received_);
    Receiving second(move, *ends_.right, 100, received_);
    Sending sending(move, *ends_.left, bytes(100));
    ASSERT_TRUE(ends_.ended({sending.request, first.request}));
    EXPECT_FALSE(second.hasEnded());
    EXPECT_TRUE(first.request->giveBack());
    ASSERT_TRUE(ends_.ended({second.request}));
    EXPECT_TRUE(second.payload() == sending.payload());
  }
}

TEST_P(GiveBackTest, InTheOrderInWhichTheyCame) {
  for (const Move move : kReceives) {
    SCOPED_TRACE(nameOf(move));
    Requests sends;
    std::vector<Sending> sendings;
    for (unsigned i = 0; i < 5; ++i) {
      sendings.emplace_back(move, *ends_.left, bytes(100, i + 1));
      sends.push_back(sendings.back().request);
    }
    std::deque<Receiving> taken;
    for (int i = 0; i < 3; ++i) {
      taken.emplace_back(move, *ends_.right, 100, received_);
      sends.push_back(taken.back().request);
    }
    ASSERT_TRUE(ends_.ended(sends));
    for (const std::size_t i : {2, 0, 1}) EXPECT_TRUE(taken[i].request->giveBack());
    for (const Sending& sending : sendings) {
      Receiving receiving(move, *ends_.right, 100, received_);
      ASSERT_TRUE(ends_.ended({receiving.request}));
      EXPECT_TRUE(receiving.payload() == sending.payload());
    }
  }
}

/// Whether the message has come by then or not, whoever moves the worker.
TEST_P(GiveBackTest, NothingIsLostAndOrderIsKept) {
  constexpr std::uint32_t kCount = 100;
  std::vector<std::uint32_t> buffers(2 * kCount);
  Requests requests;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    requests.push_back(ends_.right->tagRecv(&buffers[2 * i], 4, kTag));
    if (i % 3 != 0) requests.push_back(sendNumber(i - i / 3 - 1));
    requests.push_back(ends_.right->tagRecv(&buffers[2 * i + 1], 4, kTag));
    requests[requests.size() - 2]->giveBack();
    if (i % 7 == 0) ends_.right_worker->progress();
    for (std::size_t one = requests.size() - 3; one < requests.size(); ++one)
      if (requests[one] != requests.front()) (void)requests[one]->giveBack();
  }
  for (const auto& request : requests) (void)request->giveBack();
  ASSERT_TRUE(ends_.ended(requests));
  expectNumbers(0, static_cast<std::uint32_t>(numbers_.size()));
}

TEST_P(GiveBackTest, ManyThatAreCancelledTogether) {
  constexpr std::uint32_t kMany = 10'000;
  sendNumbers(1);
  Requests receives;
  std::uint32_t number = ~0u;
  for (std::uint32_t i = 0; i < kMany; ++i)
    receives.push_back(ends_.right->tagRecv(&number, sizeof number, kTag));
  for (const auto& receive : receives) EXPECT_TRUE(receive->giveBack());
  ASSERT_TRUE(ends_.ended(receives));
  for (const auto& receive : receives) ASSERT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
  expectNumbers(0, 1);
}

/// To the own worker all moves at once.
class GiveBackMovingTest : public GiveBackTest {};

TEST_P(GiveBackMovingTest, EndsAsCanceled) {
  constexpr std::size_t kSize = 16 << 20;
  const auto sent = bytes(kSize);
  for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi}) {
    SCOPED_TRACE(nameOf(move));
    Receiving receiving(move, *ends_.right, kSize, received_);
    Sending sending(move, *ends_.left, sent);
    ASSERT_TRUE(ends_.until(
        [&] { return ends_.right_worker->stats().messages_received > 0; }));  // it is announced
    EXPECT_TRUE(receiving.request->giveBack());
    Receiving next(move, *ends_.right, kSize, received_);
    ASSERT_TRUE(ends_.ended({sending.request, receiving.request, next.request}));
    EXPECT_EQ(receiving.request->getStatus(), UCS_ERR_CANCELED);
    EXPECT_TRUE(next.payload() == sent);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GiveBackTest,
    testing::Combine(testing::Values(Channel::Self, Channel::Local, Channel::Ucx),
                     testing::Values(Mode::Caller, Mode::Blocking, Mode::Delayed)),
    [](const auto& info) {
      return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
    });
INSTANTIATE_TEST_SUITE_P(All, GiveBackMovingTest,
                         testing::Combine(testing::Values(Channel::Local, Channel::Ucx),
                                          testing::Values(Mode::Caller, Mode::Blocking,
                                                          Mode::Delayed)),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + nameOf(std::get<1>(info.param));
                         });

class GiveBackOnTest : public testing::TestWithParam<Channel> {
 protected:
  std::shared_ptr<Request> received(void* buffer, std::size_t size, Tag tag = kTag) {
    auto receive = ends_.right->tagRecv(buffer, size, tag);
    EXPECT_TRUE(ends_.ended({receive}));
    return receive;
  }
  Ends ends_{routeOf(GetParam()), Mode::Caller, {}, configOf(GetParam())};
  Received none_;
};

TEST_P(GiveBackOnTest, ProbesSeeIt) {
  Sending sending(Move::Tag, *ends_.left, bytes(100));
  std::vector<std::byte> buffer(200);
  EXPECT_TRUE(received(buffer.data(), 200)->giveBack());
  const auto probe = ends_.right_worker->tagProbe(Tag{0}, TagMask{0}, true);
  ASSERT_TRUE(probe->isMatched());
  EXPECT_EQ(probe->getInfo().length, 100u);
  EXPECT_EQ(probe->getInfo().senderTag, kTag);
  // One that was received by its handle is nobody's again.
  buffer.assign(200, std::byte{0});
  auto receive = ends_.right_worker->tagRecvWithHandle(buffer.data(), probe);
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_TRUE(receive->giveBack());
  EXPECT_TRUE(ends_.right_worker->tagProbe(kTag)->isMatched());
  Receiving last(Move::Tag, *ends_.right, 100, none_);
  ASSERT_TRUE(ends_.ended({last.request}));
  EXPECT_TRUE(last.payload() == sending.payload());
}

TEST_P(GiveBackOnTest, AWildcardGetsItAtItsPlaceAmongOthers) {
  const std::uint32_t numbers[] = {1, 2, 3};
  Requests sends;
  for (const std::uint32_t& number : numbers)
    sends.push_back(ends_.left->tagSend(&number, sizeof number, Tag{number}));
  ASSERT_TRUE(ends_.ended(sends));
  std::uint32_t number = 0, other = 0;
  const auto third = received(&number, 4, Tag{3}), first = received(&other, 4, Tag{1});
  EXPECT_TRUE(third->giveBack());
  EXPECT_TRUE(first->giveBack());
  for (std::uint32_t i = 1; i <= 3; ++i) {
    auto receive = ends_.right->tagRecv(&number, 4, Tag{0}, TagMask{0});
    ASSERT_TRUE(ends_.ended({receive}));
    EXPECT_EQ(number, i);
  }
}

TEST_P(GiveBackOnTest, TheBufferIsTheCallers) {
  for (const std::size_t size : {std::size_t{8}, std::size_t{5000}, kAnnouncedBytes}) {
    Sending sending(Move::Tag, *ends_.left, bytes(size));
    std::vector<std::byte> buffer(size);
    EXPECT_TRUE(received(buffer.data(), size)->giveBack());
    buffer.assign(size, std::byte{7});
    Receiving next(Move::Tag, *ends_.right, size, none_);
    ASSERT_TRUE(ends_.ended({sending.request, next.request}));
    EXPECT_TRUE(next.payload() == sending.payload());
  }
}

TEST_P(GiveBackOnTest, AShorterReceiveIsTold) {
  Sending sending(Move::Tag, *ends_.left, bytes(100));
  std::vector<std::byte> buffer(100);
  EXPECT_TRUE(received(buffer.data(), 100)->giveBack());
  const auto failed = received(buffer.data(), 99);
  EXPECT_EQ(failed->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  EXPECT_FALSE(failed->giveBack());  // it has received nothing
  EXPECT_FALSE(ends_.right_worker->tagProbe(kTag)->isMatched());
}

TEST_P(GiveBackOnTest, AMessageKeepsItsHeader) {
  AmSendParams params;
  params.setUserHeader("a header");
  const auto sent = bytes(100);
  auto send = ends_.left->amSend(sent.data(), sent.size(), params);
  auto first = ends_.right->amRecv();
  ASSERT_TRUE(ends_.ended({send, first}));
  const void* const memory = first->getRecvBuffer()->data();
  EXPECT_TRUE(first->giveBack());
  EXPECT_EQ(first->getRecvBuffer(), nullptr);
  EXPECT_TRUE(ends_.right_worker->amProbe(ends_.right->getHandle()));
  auto second = ends_.right->amRecv();
  ASSERT_TRUE(ends_.ended({second}));
  EXPECT_EQ(second->getRecvHeader(), "a header");
  EXPECT_EQ(second->getRecvBuffer()->data(), memory);  // not copied
}

TEST_P(GiveBackOnTest, FramesKeepTheirMemory) {
  Sending sending(Move::Multi, *ends_.left, bytes(kAnnouncedBytes));
  Receiving first(Move::Multi, *ends_.right, 0, none_);
  ASSERT_TRUE(ends_.ended({sending.request, first.request}));
  auto& one = static_cast<RequestTagMulti&>(*first.request);
  ASSERT_EQ(one._bufferRequests.size(), 3u);
  const void* const memory = one._bufferRequests[2]->buffer->data();
  EXPECT_TRUE(first.request->giveBack());
  EXPECT_TRUE(one._bufferRequests.empty());
  Receiving second(Move::Multi, *ends_.right, 0, none_);
  ASSERT_TRUE(ends_.ended({second.request}));
  const auto& other = static_cast<RequestTagMulti&>(*second.request);
  ASSERT_EQ(other._bufferRequests.size(), 3u);
  EXPECT_EQ(other._bufferRequests[2]->buffer->data(), memory);
}

/// Its credit went back when it was taken, and is not returned again.
TEST_P(GiveBackOnTest, CreditIsReturnedOnce) {
  const auto sent = bytes(8000);
  std::vector<std::byte> buffer(8000);
  for (int i = 0; i < 3; ++i) {
    auto send = ends_.left->tagSend(sent.data(), sent.size(), kTag);
    ASSERT_TRUE(ends_.arrived(ends_.right_worker, kTag));  // kept, against credit
    ASSERT_TRUE(ends_.ended({send}));
    for (int again = 0; again < 2000; ++again)
      ASSERT_TRUE(received(buffer.data(), 8000)->giveBack());
    (void)received(buffer.data(), 8000);
    EXPECT_TRUE(buffer == sent);
  }
  auto send = ends_.left->tagSend(sent.data(), sent.size(), kTag);
  ASSERT_TRUE(ends_.ended({send}));  // nobody receives it: there is credit, on the self channel too
  EXPECT_TRUE(ends_.left->isAlive());
}

/// Of another worker.
class GiveBackFromPeerTest : public GiveBackOnTest {};

TEST_P(GiveBackFromPeerTest, ItIsThereWhenThePeerHasGone) {
  constexpr Move kMoves[] = {Move::Tag, Move::Am, Move::Stream, Move::Multi};
  for (const bool peer_goes_first : {false, true}) {
    SCOPED_TRACE(peer_goes_first ? "the peer goes first" : "given back first");
    Ends ends(Route::Listener, Mode::Caller, {}, configOf(GetParam()));
    std::deque<Sending> sendings;
    std::deque<Receiving> taken;
    const auto give_back_all = [&] {
      for (Receiving& one : taken) EXPECT_TRUE(one.request->giveBack());
    };
    for (const Move move : kMoves) {
      Sending& sending = sendings.emplace_back(move, *ends.left, bytes(100, sendings.size() + 1));
      Receiving& one = taken.emplace_back(move, *ends.right, 100, none_);
      ASSERT_TRUE(ends.ended({sending.request, one.request}));
      sending.request = nullptr;  // it holds its endpoint
    }
    if (!peer_goes_first) give_back_all();
    ends.left = nullptr;
    ends.left_worker = nullptr;
    ASSERT_TRUE(compat::until({ends.right_worker}, [&] { return !ends.right->isAlive(); }));
    if (peer_goes_first) give_back_all();
    for (std::size_t i = 0; i < sendings.size(); ++i) {
      Receiving next(kMoves[i], *ends.right, 100, none_);
      ASSERT_TRUE(compat::ended({ends.right_worker}, {next.request}));
      EXPECT_TRUE(next.payload() == sendings[i].payload());
    }
  }
}

TEST_P(GiveBackOnTest, ItIsNotThereWhenThisSideHasClosed) {
  for (const Move move : {Move::Am, Move::Stream}) {
    Ends ends(routeOf(GetParam()), Mode::Caller, {}, configOf(GetParam()));
    Sending sending(move, *ends.left, bytes(100));
    Receiving receiving(move, *ends.right, 100, none_);
    ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
    ASSERT_TRUE(ends.ended({ends.right->close()}));
    EXPECT_TRUE(receiving.request->giveBack());
    EXPECT_THROW((Receiving{move, *ends.right, 100, none_}), Error);
  }
}

TEST_P(GiveBackOnTest, WhatHasNothingGivesNothing) {
  std::uint32_t number = 1;
  auto send = ends_.left->tagSend(&number, sizeof number, kTag);
  auto receive = received(&number, sizeof number);
  ASSERT_TRUE(ends_.ended({send}));
  EXPECT_FALSE(send->giveBack());
  EXPECT_FALSE(ends_.left->flush()->giveBack());
  Received last;
  registerReceiver(*ends_.right_worker, last);
  Sending sending(Move::AmCallback, *ends_.left, bytes(100));
  ASSERT_TRUE(ends_.until([&] { return last.count == 1; }));
  EXPECT_FALSE(last.last->giveBack());
  EXPECT_NE(last.last->getRecvBuffer(), nullptr);
}

TEST_P(GiveBackOnTest, WithinItsCallback) {
  std::uint32_t number = 5, first = 0;
  std::shared_ptr<Request> receive;
  bool given = false;
  receive = ends_.right->tagRecv(&first, 4, kTag, TagMaskFull, false,
                                 [&](ucs_status_t status, std::shared_ptr<void>) {
                                   EXPECT_EQ(status, UCS_OK);
                                   given = receive->giveBack();
                                 });
  auto send = ends_.left->tagSend(&number, 4, kTag);
  ASSERT_TRUE(ends_.ended({send, receive}));
  EXPECT_TRUE(given);
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
  std::uint32_t next = 0;
  (void)received(&next, 4);
  EXPECT_EQ(next, 5u);
}

INSTANTIATE_TEST_SUITE_P(All, GiveBackOnTest,
                         testing::Values(Channel::Self, Channel::Local, Channel::Ucx),
                         [](const auto& info) { return nameOf(info.param); });
INSTANTIATE_TEST_SUITE_P(All, GiveBackFromPeerTest, testing::Values(Channel::Local, Channel::Ucx),
                         [](const auto& info) { return nameOf(info.param); });

class GiveBackStreamTest : public testing::TestWithParam<Channel> {
 protected:
  std::shared_ptr<Request> take(std::string& text, std::size_t size) {
    text.assign(size, '?');
    return ends_.right->streamRecv(text.data(), size, false);
  }
  void send(const std::string& text) {
    ASSERT_TRUE(ends_.ended({ends_.left->streamSend(text.data(), text.size(), false)}));
  }
  Ends ends_{routeOf(GetParam()), Mode::Caller, {}, configOf(GetParam())};
};

TEST_P(GiveBackStreamTest, OfSeveralInAnyOrder) {
  send("onetwothree");
  std::string one, two, three, all;
  Requests taken{take(one, 3), take(two, 3), take(three, 2)};
  ASSERT_TRUE(ends_.ended(taken));
  for (const std::size_t i : {1, 0, 2}) EXPECT_TRUE(taken[i]->giveBack());
  ASSERT_TRUE(ends_.ended({take(all, 11)}));
  EXPECT_EQ(all, "onetwothree");
  EXPECT_TRUE(ends_.right->isAlive());
}

TEST_P(GiveBackStreamTest, BehindALaterReceiveTheStreamFails) {
  send("onetwo");
  std::string one, two, rest;
  Requests taken{take(one, 3), take(two, 3)};
  ASSERT_TRUE(ends_.ended(taken));
  EXPECT_TRUE(taken[0]->giveBack());
  EXPECT_TRUE(ends_.right->isAlive());
  auto next = take(rest, 3);
  ASSERT_TRUE(ends_.ended({next}));
  EXPECT_EQ(next->getStatus(), UCS_ERR_CONNECTION_RESET);
  EXPECT_NE(messageOf([&] { next->checkError(); }).find("its own bytes have no place"),
            std::string::npos)
      << messageOf([&] { next->checkError(); });
}

TEST_P(GiveBackStreamTest, APartOfOneThatIsCancelled) {
  send("one");
  std::string one, all;
  auto receive = take(one, 100);
  ASSERT_TRUE(ends_.until([&] { return one[2] == 'e'; }));
  receive->cancel();
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
  send("two");
  ASSERT_TRUE(ends_.ended({take(all, 6)}));
  EXPECT_EQ(all, "onetwo");
}

/// While the next piece is on its way into memory, or straight into the next receive.
TEST_P(GiveBackStreamTest, BesideAPieceThatIsFetched) {
  const auto large = bytes(8 << 20);
  for (const std::size_t rest : {std::size_t{1} << 20, large.size()}) {
    send("one");
    std::string one, three;
    auto first = take(one, 3);
    ASSERT_TRUE(ends_.ended({first}));
    auto sending = ends_.left->streamSend(large.data(), large.size(), false);
    std::vector<std::byte> into(rest);
    auto second = ends_.right->streamRecv(into.data(), into.size(), false);
    ends_.right_worker->progress();
    ends_.left_worker->progress();
    EXPECT_TRUE(first->giveBack());
    EXPECT_TRUE(second->giveBack());
    ASSERT_TRUE(ends_.ended({first, second}));
    std::vector<std::byte> all(large.size() + 3);
    auto last = ends_.right->streamRecv(all.data(), all.size(), false);
    ASSERT_TRUE(ends_.ended({sending, last})) << ends_.right_worker->dump();
    ASSERT_EQ(last->getStatus(), UCS_OK);
    EXPECT_EQ(std::memcmp(all.data(), "one", 3), 0);
    EXPECT_EQ(std::memcmp(all.data() + 3, large.data(), large.size()), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GiveBackStreamTest,
                         testing::Values(Channel::Self, Channel::Local, Channel::Ucx),
                         [](const auto& info) { return nameOf(info.param); });

/// Of peers that have gone no more stays for it.
TEST(GiveBackLimitTest, WhatPeersThatHaveGoneLeftCounts) {
  constexpr int kPeers = 10;
  WorkerOptions options;
  options.unexpected_bytes = 1 << 16;
  auto context = createContext();
  auto worker = context->createWorker(options);
  const auto sent = bytes(20'000);
  std::vector<std::byte> buffer(20'000);
  for (int i = 0; i < kPeers; ++i) {
    auto peer = context->createWorker();
    auto endpoint = peer->createEndpointFromWorkerAddress(worker->getAddress());
    const Tag tag{static_cast<ucp_tag_t>(i)};
    auto receive = worker->tagRecv(buffer.data(), buffer.size(), tag);
    ASSERT_TRUE(
        compat::ended({worker, peer}, {endpoint->tagSend(sent.data(), sent.size(), tag), receive}));
    EXPECT_TRUE(receive->giveBack());
    ASSERT_TRUE(compat::ended({worker, peer}, {endpoint->close()}));
    endpoint = nullptr;
    peer = nullptr;
    ASSERT_TRUE(compat::until({worker}, [&] { return worker->report().peers.empty(); }));
  }
  int left = 0;
  while (worker->tagProbe(Tag{0}, TagMask{0})->isMatched()) {
    ASSERT_TRUE(compat::ended({worker},
                              {worker->tagRecv(buffer.data(), buffer.size(), Tag{0}, TagMask{0})}));
    ++left;
  }
  EXPECT_EQ(left, 3);
  EXPECT_EQ(worker->stats().dropped_messages, kPeers - 3u);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(GiveBackMemoryTest, WithoutMemoryNothingHasChanged) {
  constexpr std::size_t kSize = 256 << 20;
  Ends ends(Route::Self);
  std::vector<std::byte> sent(kSize, std::byte{1}), buffer(kSize);
  auto send = ends.left->tagSend(sent.data(), kSize, kTag);
  auto receive = ends.left->tagRecv(buffer.data(), kSize, kTag);
  ASSERT_TRUE(ends.ended({send, receive}));
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  rlimit low = before;
  low.rlim_cur = 1 << 20;
  ::setrlimit(RLIMIT_AS, &low);
  EXPECT_THROW(receive->giveBack(), std::bad_alloc);
  ::setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(receive->getStatus(), UCS_OK);
  EXPECT_EQ(receive->getReceivedLength(), kSize);
  EXPECT_TRUE(receive->giveBack());
  EXPECT_TRUE(ends.left_worker->tagProbe(kTag)->isMatched());
}
#endif

}  // namespace
}  // namespace ucxx::core::test
