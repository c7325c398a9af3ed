// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Prepared transfers on every way: pushed into mapped memory, by messages, to the own worker.

#include <algorithm>
#include <numeric>
#include <random>

#include <ucxx/prepared.h>

#include "core/prepared_memory.h"

namespace ucxx::core::test {
namespace {

struct Kind {
  Route route;
  Owner owner;
  Mode mode = Mode::Caller;
};

std::string nameOfKind(const testing::TestParamInfo<Kind>& info) {
  return nameOf(info.param.route) + nameOf(info.param.owner) + nameOf(info.param.mode);
}

class PreparedTest : public testing::TestWithParam<Kind> {
 protected:
  struct Pair {
    Pair(Ends& ends, std::size_t bytes, std::size_t senders = 1, std::size_t receivers = 0,
         Tag tag = Tag{9})
        : source(ends.context, GetParam().owner, bytes),
          target(ends.context, GetParam().owner, bytes),
          send(ends.left->prepareSend(source.data(), bytes, tag, {senders})),
          receive(ends.right->prepareRecv(target.data(), bytes, tag,
                                          {receivers == 0 ? senders : receivers})) {}
    Memory source, target;
    std::shared_ptr<PreparedSend> send;
    std::shared_ptr<PreparedRecv> receive;
    bool isDone() const { return send->isCompleted() && receive->isCompleted(); }
    void expectOk() const {
      EXPECT_EQ(send->getStatus(), UCS_OK) << send->describe();
      EXPECT_EQ(receive->getStatus(), UCS_OK) << receive->describe();
    }
  };

  Ends ends_{GetParam().route, GetParam().mode};
};

TEST_P(PreparedTest, IterationsOfEachSize) {
  for (const std::size_t size : {0u, 1u, 8u, 64u, 4096u, 20'000u, 70'000u, 3u << 20}) {
    Pair pair(ends_, size);
    for (unsigned i = 1; i <= 5; ++i) {
      pair.source.fill(i);
      if (i % 2 == 0) pair.send->start();
      pair.receive->start();
      if (i % 2 != 0) pair.send->start();
      ASSERT_TRUE(ends_.until([&] { return pair.isDone(); })) << size << pair.send->describe();
      pair.expectOk();
      EXPECT_TRUE(pair.target.has(i)) << size;
      EXPECT_EQ(pair.receive->iterations(), i);
    }
  }
}

TEST_P(PreparedTest, PartitionsInAnyOrder) {
  constexpr std::size_t kCount = 130;
  for (const std::size_t each : {8u, 1000u, 20'000u}) {
    Pair pair(ends_, kCount * each, kCount);
    std::vector<std::size_t> order(kCount);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(1);
    for (unsigned i = 1; i <= 3; ++i) {
      std::shuffle(order.begin(), order.end(), random);
      pair.source.fill(i);
      pair.send->start();
      pair.receive->start();
      for (std::size_t k = 0; k < kCount; ++k) {
        EXPECT_FALSE(pair.receive->arrived(order[k]));
        pair.send->ready(order[k]);
        if (k % 10 != 0) continue;
        ASSERT_TRUE(ends_.until([&] { return pair.receive->arrived(order[k]); }));
        EXPECT_TRUE(pair.target.has(i, order[k] * each, each));
        EXPECT_FALSE(pair.receive->isCompleted() && k + 1 < kCount);
      }
      ASSERT_TRUE(ends_.until([&] { return pair.isDone(); })) << pair.send->describe();
      pair.expectOk();
      EXPECT_TRUE(pair.target.has(i));
    }
  }
}

TEST_P(PreparedTest, CountsThatDivide) {
  constexpr std::size_t kBytes = 48 * 1024;
  for (const auto& [senders, receivers] :
       {std::pair{1, 16}, std::pair{16, 1}, std::pair{4, 16}, std::pair{16, 4}}) {
    Pair pair(ends_, kBytes, senders, receivers);
    pair.source.fill(3);
    startAll({pair.send, pair.receive});
    const std::size_t each = kBytes / senders, its = kBytes / receivers;
    for (int i = 0; senders > 1 && i < senders; ++i) {
      pair.send->ready(i);
      const std::size_t last = (i + 1) * each;
      for (int k = 0; k < receivers; ++k) {
        const bool has_come = (k + 1) * its <= last;
        ASSERT_TRUE(ends_.until([&] { return pair.receive->arrived(k) || !has_come; }));
        EXPECT_EQ(pair.receive->arrived(k), has_come);
      }
    }
    ASSERT_TRUE(ends_.until([&] { return pair.isDone(); }));
    pair.expectOk();
    EXPECT_TRUE(pair.target.has(3));
  }
}

TEST_P(PreparedTest, WaitsOfBothEnds) {
  if (GetParam().mode != Mode::Caller && GetParam().mode != Mode::Adaptive) return;
  Pair pair(ends_, 4096, 4);
  std::thread receiver([&] {
    for (unsigned i = 1; i <= 200; ++i) {
      pair.receive->start();
      EXPECT_TRUE(pair.receive->wait(compat::kDeadline)) << pair.receive->describe();
      ASSERT_TRUE(pair.target.has(i));
    }
  });
  for (unsigned i = 1; i <= 200; ++i) {
    pair.source.fill(i);
    pair.send->start();
    pair.send->ready(0, 3);
    pair.send->ready(3);
    EXPECT_TRUE(pair.send->wait(compat::kDeadline))
        << pair.send->describe() << ends_.left_worker->describe() << ends_.right_worker->describe();
  }
  receiver.join();
  pair.expectOk();
}

TEST_P(PreparedTest, RequestsTellTheEnd) {
  Pair pair(ends_, 512, 2);
  for (unsigned i = 1; i <= 3; ++i) {
    pair.source.fill(i);
    startAll({pair.send, pair.receive});
    std::atomic<int> told{0};
    const auto tell = [&](ucs_status_t status, const auto&) { told += status == UCS_OK ? 1 : 100; };
    const Requests requests{pair.send->request(tell), pair.receive->request(tell)};
    pair.send->ready(1);
    EXPECT_FALSE(pair.receive->isCompleted());
    EXPECT_EQ(told, 0);
    pair.send->ready(0);
    ASSERT_TRUE(ends_.ended(requests));
    EXPECT_EQ(told, 2);
    EXPECT_TRUE(pair.target.has(i));
    auto late = pair.receive->request();
    ASSERT_TRUE(ends_.ended({late}));
    EXPECT_EQ(late->getStatus(), UCS_OK);
  }
}

TEST_P(PreparedTest, FirstPreparedWithFirstPrepared) {
  Memory source(ends_.context, GetParam().owner, 4 * 64),
      target(ends_.context, GetParam().owner, 4 * 64);
  std::vector<std::shared_ptr<Prepared>> plans;
  source.fill(1);
  for (const int i : {0, 1})
    plans.push_back(ends_.left->prepareSend(source.data() + i * 64, 64, Tag{5}));
  plans.push_back(ends_.right->prepareRecv(target.data() + 3 * 64, 64, Tag{6}));
  for (const int i : {0, 1})
    plans.push_back(ends_.right->prepareRecv(target.data() + i * 64, 64, Tag{5}));
  plans.push_back(ends_.left->prepareSend(source.data() + 3 * 64, 64, Tag{6}));
  startAll(plans);
  ASSERT_TRUE(ends_.until([&] { return waitAll(plans, std::chrono::nanoseconds(0)); }));
  EXPECT_TRUE(target.has(1, 0, 128));
  EXPECT_TRUE(target.has(1, 192, 64));
}

TEST_P(PreparedTest, UnequalEndsFailAtBoth) {
  for (const auto& [bytes, partitions] : {std::pair{4096, 3}, std::pair{2048, 4}}) {
    Memory source(ends_.context, GetParam().owner, 4096),
        target(ends_.context, GetParam().owner, 4096);
    const std::size_t receivers = bytes / partitions * partitions;
    auto send = ends_.left->prepareSend(source.data(), 4096, Tag{4}, {4});
    auto receive = ends_.right->prepareRecv(target.data(), receivers, Tag{4},
                                            {static_cast<std::size_t>(partitions)});
    ASSERT_TRUE(ends_.until([&] {
      return send->getStatus() == UCS_ERR_INVALID_PARAM &&
             receive->getStatus() == UCS_ERR_INVALID_PARAM;
    }));
    for (const std::shared_ptr<Prepared>& plan :
         {std::shared_ptr<Prepared>(send), std::shared_ptr<Prepared>(receive)}) {
      const std::string said = messageOf([&] { plan->checkError(); });
      EXPECT_NE(said.find("the sender has 4096 bytes in 4 partitions"), std::string::npos) << said;
      EXPECT_NE(said.find(std::to_string(receivers) + " in " + std::to_string(partitions)),
                std::string::npos)
          << said;
      plan->start();
      EXPECT_TRUE(plan->wait(std::chrono::seconds(0)));
      EXPECT_THROW(plan->checkError(), InvalidParamError);
    }
  }
}

TEST_P(PreparedTest, MisuseIsRefusedBeforeAnythingHappens) {
  Pair pair(ends_, 4096, 4);
  const auto says = [](const auto& call, const char* words) {
    EXPECT_THROW(call(), InvalidParamError);
    const std::string said = messageOf(call);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  says([&] { pair.send->ready(0); }, "no iteration is in progress for partition 0");
  says([&] { pair.send->ready(4); }, "there is no partition 4, only 4");
  says([&] { pair.send->ready(static_cast<std::size_t>(-1)); }, "there is no partition -1");
  says([&] { pair.receive->arrived(4); }, "there is no partition 4, only 4");
  startAll({pair.send, pair.receive});
  pair.send->ready(2);
  says([&] { pair.send->ready(2); }, "partition 2 was made ready in iteration 1 before");
  says([&] { pair.send->ready(); }, "partition 2 was made ready in iteration 1 before");
  says([&] { pair.send->start(); }, "start: iteration 1 is in progress");
  says([&] { pair.receive->start(); }, "start: iteration 1 is in progress");
  says([&] { pair.send->ready(3, 1); }, "ready: from 3 up to 1; the first");
  says([] { startAll({nullptr}); }, "startAll: plan 0 of 1 is null");
  says([&] { (void)waitAll({pair.send, nullptr}); }, "waitAll: plan 1 of 2 is null");
  pair.send->ready(0, 2);
  pair.send->ready(3, 3);
  pair.send->ready(3, 4);
  ASSERT_TRUE(ends_.until([&] { return pair.isDone(); }));
  pair.expectOk();
  says([&] { pair.send->ready(2); }, "no iteration is in progress for partition 2");
  std::byte byte{};
  says([&] { (void)ends_.left->prepareSend(&byte, 1, Tag{1}, {0}); }, "1 bytes in 0 partitions");
  says([&] { (void)ends_.left->prepareSend(&byte, 1, Tag{1}, {2}); }, "1 bytes in 2 partitions");
  EXPECT_ANY_THROW((void)ends_.left->prepareRecv(nullptr, 8, Tag{1}));
  Pair single(ends_, 8);
  single.send->start();
  says([&] { single.send->ready(); }, "a single partition is ready at the start");
}

/// The end of the one plan is told by a callback, which closes it: the other end still hears why.
TEST_P(PreparedTest, UnequalEndsMayCloseInTheirCallbacks) {
  Pair pair(ends_, 64);
  Memory longer(ends_.context, GetParam().owner, 128);
  auto send = ends_.left->prepareSend(longer.data(), longer.size(), Tag{4});
  send->start();
  std::shared_ptr<Request> closing;
  std::atomic<bool> is_told{false};
  const auto at_end = send->request([&](ucs_status_t, const auto&) {
    closing = send->close();
    is_told = true;
  });
  auto receive = ends_.right->prepareRecv(pair.target.data(), 64, Tag{4});
  receive->start();
  ASSERT_TRUE(ends_.until([&] { return receive->isCompleted() && is_told; }));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(send->getStatus(), UCS_ERR_INVALID_PARAM);
  ASSERT_TRUE(ends_.ended({closing, receive->close()}));
}

TEST_P(PreparedTest, IsDescribed) {
  Pair pair(ends_, 4096, 4);
  pair.send->start();
  pair.send->ready(0, 3);
  const auto is_said = [&](const std::shared_ptr<Worker>& worker, const std::string& words) {
    return worker->describe().find(words) != std::string::npos;
  };
  EXPECT_EQ(pair.send->describe(),
            "prepared send, 4096 bytes, tag 0x9 in 4 partitions, iteration 1: 3 ready, 0 sent");
  EXPECT_TRUE(ends_.until([&] { return is_said(ends_.left_worker, pair.send->describe()); }));
  EXPECT_NE(ends_.left_worker->dump().find(pair.send->describe()), std::string::npos);
  EXPECT_TRUE(ends_.until([&] {
    return is_said(
        ends_.right_worker,
        "prepared receive, 4096 bytes, tag 0x9 in 4 partitions, iteration 0: not started");
  }));
  pair.receive->start();
  EXPECT_TRUE(ends_.until(
      [&] { return pair.receive->describe().find("3 of 4 arrived") != std::string::npos; }));
  EXPECT_EQ(pair.receive->request()->describe(), "end of a prepared transfer, 4096 bytes, tag 0x9");
  EXPECT_TRUE(ends_.ended({pair.send->close(), pair.receive->close()}));
}

/// Each end for itself, before and after they have met, and after the close.
TEST_P(PreparedTest, IsExplained) {
  Memory source(ends_.context, GetParam().owner, 4096),
      target(ends_.context, GetParam().owner, 4096);
  auto send = ends_.left->prepareSend(source.data(), 4096, Tag{9}, {4});
  EXPECT_EQ(send->explain().way, "kept until the peer has prepared a receive for it");
  auto receive = ends_.right->prepareRecv(target.data(), 4096, Tag{9}, {4});
  ASSERT_TRUE(ends_.until([&] {
    return send->explain().way.find("kept") == std::string::npos &&
           receive->explain().way.find("kept") == std::string::npos;
  })) << send->explain().toString();
  const bool is_pushed = GetParam().owner == Owner::Library && ends_.isLocal();
  for (const std::shared_ptr<Prepared>& plan :
       {std::shared_ptr<Prepared>(send), std::shared_ptr<Prepared>(receive)}) {
    const Explanation said = plan->explain();
    EXPECT_EQ(said.way.starts_with("pushed: "), is_pushed) << said.toString();
    EXPECT_EQ(said.toString().find("note: pushed: ") == std::string::npos, is_pushed);
  }
  ASSERT_TRUE(ends_.ended({send->close()}));
  EXPECT_EQ(send->explain().channel, "none");
}

TEST_P(PreparedTest, SaysThatAPartitionIsTooLargeToBePushed) {
  constexpr std::size_t kBytes = 1 << 20;
  Memory source(ends_.context, GetParam().owner, kBytes),
      target(ends_.context, GetParam().owner, kBytes);
  auto send = ends_.left->prepareSend(source.data(), kBytes, Tag{9});
  auto receive = ends_.right->prepareRecv(target.data(), kBytes, Tag{9});
  EXPECT_TRUE(ends_.until([&] {
    return send->explain().toString().find("more than 262144; make more partitions") !=
           std::string::npos;
  })) << send->explain().toString();
}

INSTANTIATE_TEST_SUITE_P(All, PreparedTest,
                         testing::Values(Kind{Route::Self, Owner::User},
                                         Kind{Route::Address, Owner::Library},
                                         Kind{Route::Address, Owner::User},
                                         Kind{Route::Listener, Owner::Library},
                                         Kind{Route::Listener, Owner::User, Mode::Adaptive},
                                         Kind{Route::Address, Owner::Library, Mode::Adaptive},
                                         Kind{Route::Address, Owner::Library, Mode::Blocking}),
                         nameOfKind);

}  // namespace
}  // namespace ucxx::core::test
