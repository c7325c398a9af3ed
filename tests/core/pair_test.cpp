// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Which endpoint belongs to which, however opens, closes and goodbyes cross.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

/// Two workers that know each other's address.
struct Two {
  std::shared_ptr<Context> context = createContext();
  std::shared_ptr<Worker> left = context->createWorker();
  std::shared_ptr<Worker> right = context->createWorker();
  Workers workers() const { return {left, right}; }
  std::shared_ptr<Endpoint> toRight() {
    return left->createEndpointFromWorkerAddress(right->getAddress());
  }
  std::shared_ptr<Endpoint> toLeft() {
    return right->createEndpointFromWorkerAddress(left->getAddress());
  }
};

/// Sends each way between the ends of a pair.
void expectPair(const Workers& workers, Endpoint& one, Endpoint& other, int number) {
  SCOPED_TRACE(number);
  auto there = one.amRecv();
  auto back = other.amRecv();
  const int numbers[] = {number, -number};
  ASSERT_TRUE(
      compat::ended(workers, {one.amSend(&numbers[0], 4, UCS_MEMORY_TYPE_HOST),
                              other.amSend(&numbers[1], 4, UCS_MEMORY_TYPE_HOST), there, back}))
      << workers[0]->describe() << workers[1]->describe();
  ASSERT_EQ(there->getStatus(), UCS_OK);
  ASSERT_EQ(back->getStatus(), UCS_OK);
  EXPECT_EQ(*static_cast<int*>(back->getRecvBuffer()->data()), number);
  EXPECT_EQ(*static_cast<int*>(there->getRecvBuffer()->data()), -number);
}

TEST(PairTest, CrossingOpensPairInOrder) {
  Two two;
  std::vector<std::shared_ptr<Endpoint>> mine, theirs;
  for (int i = 0; i < 10; ++i) {
    mine.push_back(two.toRight());
    theirs.push_back(two.toLeft());
  }
  for (int i = 0; i < 10; ++i) expectPair(two.workers(), *mine[i], *theirs[i], i + 1);
}

TEST(PairTest, OpensCrossOnALinkThatIsUp) {
  Two two;
  auto first = two.toRight();
  auto first_peer = two.toLeft();
  expectPair(two.workers(), *first, *first_peer, 1);
  for (int i = 2; i < 50; ++i) {
    auto one = two.toRight();
    auto other = two.toLeft();
    expectPair(two.workers(), *one, *other, i);
  }
}

TEST(PairTest, PassiveEndpointIsAdoptedWithItsMessages) {
  Two two;
  auto mine = two.toRight();
  int number = 5;
  auto send = mine->amSend(&number, 4, UCS_MEMORY_TYPE_HOST);
  ASSERT_TRUE(compat::ended(two.workers(), {send}));
  auto theirs = two.toLeft();
  auto receive = theirs->amRecv();
  ASSERT_TRUE(compat::ended(two.workers(), {receive}));
  EXPECT_EQ(*static_cast<int*>(receive->getRecvBuffer()->data()), 5);
  expectPair(two.workers(), *mine, *theirs, 6);
}

TEST(PairTest, ReceiverCallbackOfAPassiveEndpointRuns) {
  Two two;
  Received received;
  registerReceiver(*two.right, received);
  auto mine = two.toRight();
  Sending sending(Move::AmCallback, *mine, bytes(100));
  ASSERT_TRUE(compat::until(two.workers(), [&] { return received.count == 1; }));
  auto theirs = two.toLeft();
  EXPECT_EQ(theirs->getHandle(), received.handle);
}

TEST(PairTest, OpenThatCrossesAClosedOneLeavesNothingBehind) {
  Two two;
  auto keeper = two.toRight();  // the link stays
  auto keeper_peer = two.toLeft();
  expectPair(two.workers(), *keeper, *keeper_peer, 1);
  for (int i = 2; i < 30; ++i) {
    auto theirs = i % 2 == 0 ? two.toLeft() : nullptr;
    auto mine = two.toRight();
    if (theirs == nullptr) theirs = two.toLeft();
    mine = nullptr;  // its close and the other's open cross
    ASSERT_TRUE(compat::until(two.workers(), [&] { return !theirs->isAlive(); }))
        << two.left->describe() << two.right->describe();
    theirs = nullptr;
    auto one = two.toRight();
    auto other = two.toLeft();
    expectPair(two.workers(), *one, *other, i);
    if (HasFatalFailure()) return;
  }
}

TEST(PairTest, BothOpenAndCloseAtOnce) {
  Two two;
  for (int i = 1; i < 100; ++i) {
    auto mine = two.toRight();
    auto theirs = two.toLeft();
    if (i % 3 == 0) continue;  // close at once, before anything moved
    for (int rounds = i % 7; rounds > 0; --rounds) two.left->progress(), two.right->progress();
    if (i % 3 == 1) expectPair(two.workers(), *mine, *theirs, i);
    if (HasFatalFailure()) return;
  }
}

TEST(PairTest, ReopeningCrossesTheGoodbyeOfTheLink) {
  Two two;
  two.left->startProgressThread(ProgressOptions{});
  two.right->startProgressThread(ProgressOptions{});
  for (int i = 1; i < 200; ++i) {
    auto mine = two.toRight();
    auto theirs = two.toLeft();
    expectPair(two.workers(), *mine, *theirs, i);
    if (HasFatalFailure()) return;
  }
}

TEST(PairTest, OneSideReopensWhileTheOtherStillCloses) {
  Two two;
  Received received;
  registerReceiver(*two.right, received);
  for (int i = 1; i < 100; ++i) {
    auto mine = two.toRight();
    Sending sending(Move::AmCallback, *mine, bytes(10));
    ASSERT_TRUE(compat::until(two.workers(), [&] { return received.count == i; }))
        << i << two.left->describe() << two.right->describe();
    for (int rounds = i % 11; rounds > 0; --rounds) two.left->progress(), two.right->progress();
  }
}

TEST(PairTest, ByNameToTheOwnListener) {
  Two two;
  struct Server {
    std::shared_ptr<Listener> listener;
    std::shared_ptr<Endpoint> endpoint;
  } server;
  server.listener = two.left->createListener(
      0,
      [](ucp_conn_request_h request, void* self) {
        auto& to = *static_cast<Server*>(self);
        to.endpoint = to.listener->createEndpointFromConnRequest(request);
      },
      &server);
  auto client = two.left->createEndpointFromHostname("127.0.0.1", server.listener->getPort());
  ASSERT_TRUE(compat::until({two.left}, [&] { return server.endpoint != nullptr; }));
  expectPair({two.left, two.left}, *client, *server.endpoint, 3);
  server.endpoint = nullptr;
  ASSERT_TRUE(compat::until({two.left}, [&] { return !client->isAlive(); }));
}

TEST(PairTest, ThreadsOpenAndCloseAtOnce) {
  Two two;
  two.left->startProgressThread(ProgressOptions{});
  two.right->startProgressThread(ProgressOptions{});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        auto endpoint = t % 2 == 0 ? two.toRight() : two.toLeft();
        int number = i;
        auto send = endpoint->tagSend(&number, 4, Tag{1});
        EXPECT_TRUE(send->wait(compat::kDeadline));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  // Nothing is broken. (An endpoint may get the end of one whose close is on its way: the next one
  // works.)
  char byte = 3, received = 0;
  auto receive = two.right->tagRecv(&received, 1, Tag{77});
  ASSERT_TRUE(compat::until(two.workers(), [&] {
    if (!receive->isCompleted())
      (void)two.toRight()->tagSend(&byte, 1, Tag{77})->wait(compat::kDeadline);
    return receive->isCompleted();
  }));
  EXPECT_EQ(received, 3);
}

}  // namespace
}  // namespace ucxx::core::test
