// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The pool of a process: messages in it, limits, and that idle memory goes back to the system.

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fixtures.h"
#include "core/link/link.h"
#include "core/match/endpoint_state.h"
#include "local/arena.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSize = 70'000'000;
constexpr std::size_t kMib = 1 << 20;

/// Pages of the process's library memory.
std::size_t memory() {
  const local::Arena* const arena = local::Arena::existing();
  struct stat state {};
  EXPECT_TRUE(arena == nullptr || ::fstat(arena->descriptor(), &state) == 0);
  return static_cast<std::size_t>(state.st_blocks) * 512;
}

/// The pool has its limits again afterwards.
class PoolTest : public testing::Test {
 protected:
  PoolTest() {
    { const HostBuffer first(kMib); }  // there is a pool from now on
    const PoolStats stats = poolStats();
    limits_ = {stats.idle_limit_bytes, stats.total_limit_bytes};
    trimPool();
  }
  ~PoolTest() override { setPoolLimits(limits_); }

  PoolLimits limits_;
};

class PoolMessageTest : public PoolTest {
 protected:
  static AmSendParams params() {
    AmSendParams params;
    params.memoryType = UCS_MEMORY_TYPE_HOST;
    return params;
  }
  std::shared_ptr<Request> send() { return ends_.left->amSend(sent_.data(), kSize, params()); }
  /// The receiver has a buffer for it, whose sender has not heard that.
  std::shared_ptr<Request> claim() {
    const std::uint64_t before = poolStats().used_bytes;
    send_ = send();
    while (ends_.left_worker->progress()) {
    }
    auto receive = ends_.right->amRecv();
    EXPECT_TRUE(compat::until({ends_.right_worker},
                              [&] { return poolStats().used_bytes >= before + kSize; }));
    return receive;
  }
  void expectArrives(Request& receive) {
    EXPECT_EQ(receive.getStatus(), UCS_OK);
    EXPECT_EQ(std::memcmp(receive.getRecvBuffer()->data(), sent_.data(), kSize), 0);
  }

  Ends ends_{Route::Listener, Mode::Caller, withoutFetchAhead()};
  const std::vector<std::byte> sent_ = bytes(kSize);
  std::shared_ptr<Request> send_;
};

TEST_F(PoolMessageTest, ReceivedBytesTakeTheirPages) {
  const std::size_t before = memory();
  const PoolStats stats = poolStats();
  for (int round = 0; round < 3; ++round) {
    auto receive = ends_.right->amRecv();
    ASSERT_TRUE(ends_.ended({send(), receive}));
    expectArrives(*receive);
    EXPECT_LE(memory() - before, kSize * 105 / 100);
    EXPECT_LE(poolStats().used_bytes - stats.used_bytes, kSize * 105 / 100);
  }
  EXPECT_EQ(poolStats().taken, stats.taken + 3);
  EXPECT_EQ(poolStats().reused, stats.reused + 2);
  EXPECT_EQ(poolStats().used_bytes, stats.used_bytes);
  EXPECT_LE(poolStats().idle_bytes, kSize * 105 / 100);
}

TEST_F(PoolMessageTest, WhatIsOnlyClaimedTakesNoMemory) {
  if (ends_.isLocal()) return;  // a peer of this machine could take it by itself
  const std::size_t before = memory();
  auto receive = claim();
  EXPECT_LT(memory() - before, kMib);
  ASSERT_TRUE(ends_.ended({send_, receive}));
  expectArrives(*receive);
  const PoolStats stats = poolStats();
  receive = nullptr;
  EXPECT_GE(poolStats().idle_bytes, stats.idle_bytes + kSize);  // a block like others
  auto next = ends_.right->amRecv();
  ASSERT_TRUE(ends_.ended({send(), next}));
  EXPECT_EQ(poolStats().reused, stats.reused + 1);
}

TEST_F(PoolMessageTest, WhatDidNotComeIsNotKeptWarm) {
  if (ends_.isLocal()) return;  // a peer of this machine could take it by itself
  const PoolStats before = poolStats();
  const std::size_t memory_before = memory();
  auto receive = claim();
  ends_.left->closeBlocking();
  ASSERT_TRUE(ends_.ended({send_, receive}));
  EXPECT_NE(receive->getStatus(), UCS_OK);
  receive = send_ = nullptr;
  EXPECT_EQ(poolStats().used_bytes, before.used_bytes);
  EXPECT_EQ(poolStats().idle_bytes, before.idle_bytes);
  EXPECT_EQ(memory(), memory_before);
}

TEST_F(PoolMessageTest, LetsGoOfThePagesOfItsPeer) {
  if (!ends_.isLocal()) return;  // only peers of this machine map them
  auto receive = ends_.right->amRecv();
  ASSERT_TRUE(ends_.ended({send(), receive}));
  const std::shared_ptr<Buffer> kept = receive->getRecvBuffer();
  // From memory of the library: the receiver copies from it, if nobody helps.
  auto tag_send = ends_.left->tagSend(kept->data(), kSize, Tag{1});
  std::vector<std::byte> room(kSize);
  auto tag_receive = ends_.right->tagRecv(room.data(), kSize, Tag{1});
  ASSERT_TRUE(ends_.ended({tag_send, tag_receive}));
  local::PeerMemory& peers = ends_.right->state().inlet->local->memory();
  EXPECT_TRUE(peers.hasTouched());
  EXPECT_TRUE(ends_.until([&] { return !peers.hasTouched(); }));
  EXPECT_EQ(std::memcmp(kept->data(), sent_.data(), kSize), 0);
}

TEST_F(PoolMessageTest, BeyondTheLimitTheyComeAllTheSame) {
  setPoolLimits({{}, poolStats().used_bytes + kMib});
  const std::size_t before = memory();
  const PoolStats stats = poolStats();
  auto receive = ends_.right->amRecv();
  ASSERT_TRUE(ends_.ended({send(), receive}));
  expectArrives(*receive);
  EXPECT_EQ(memory(), before);
  EXPECT_EQ(poolStats().taken, stats.taken);
}

TEST_F(PoolTest, LimitsAreShownAndKept) {
  setPoolLimits({3 * kMib, 5 * kMib});
  EXPECT_EQ(poolStats().idle_limit_bytes, 3 * kMib);
  EXPECT_EQ(poolStats().total_limit_bytes, 5 * kMib);
  setPoolLimits({});
  setPoolLimits({2 * kMib, {}});
  EXPECT_EQ(poolStats().idle_limit_bytes, 2 * kMib);
  EXPECT_EQ(poolStats().total_limit_bytes, 5 * kMib);
  { const HostBuffer buffer(4 * kMib); }
  EXPECT_EQ(poolStats().idle_bytes, 2 * kMib);
  const HostBuffer first(4 * kMib);
  HostBuffer second(4 * kMib);  // from malloc
  std::memset(second.data(), 1, second.getSize());
  EXPECT_EQ(poolStats().used_bytes, 4 * kMib);
}

TEST_F(PoolTest, TrimGivesBackAllIdleMemory) {
  { const HostBuffer buffer(8 * kMib); }
  EXPECT_EQ(poolStats().idle_bytes, 8 * kMib);
  EXPECT_EQ(trimPool(), 8 * kMib);
  EXPECT_EQ(poolStats().idle_bytes, 0u);
  EXPECT_EQ(trimPool(), 0u);
}

TEST_F(PoolTest, ThreadsTrimWhileOthersReceive) {
  Ends ends(Route::Listener, Mode::Blocking);
  std::atomic<bool> done{false};
  std::thread trimming([&] {
    while (!done) trimPool();
  });
  const auto sent = bytes(kMib);
  for (int i = 0; i < 50; ++i) {
    auto receive = ends.right->amRecv();
    EXPECT_TRUE(ends.ended({ends.left->amSend(sent.data(), kMib, UCS_MEMORY_TYPE_HOST), receive}));
    EXPECT_EQ(std::memcmp(receive->getRecvBuffer()->data(), sent.data(), kMib), 0);
  }
  done = true;
  trimming.join();
}

TEST_F(PoolTest, AForkedChildHasNone) {
  const HostBuffer buffer(kMib);
  { const HostBuffer idle(kMib); }
  const pid_t child = ::fork();
  if (child == 0) {
    setPoolLimits({0, 0});
    const PoolStats stats = poolStats();
    const bool has_none = stats.used_bytes == 0 && stats.total_limit_bytes == 0;
    ::_exit(trimPool() == 0 && has_none ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(poolStats().idle_bytes, kMib);
  EXPECT_EQ(poolStats().idle_limit_bytes, limits_.idle_bytes);
}

/// Who moves the worker, while it sleeps or not.
class IdlePoolTest : public PoolTest, public testing::WithParamInterface<Mode> {};

TEST_P(IdlePoolTest, GoesBackAfterSeconds) {
  Ends ends(Route::Self, GetParam());
  { const HostBuffer buffer(8 * kMib); }  // freed while the worker may be asleep
  const auto freed = Clock::now();
  EXPECT_EQ(poolStats().idle_bytes, 8 * kMib);
  EXPECT_TRUE(ends.until([] { return poolStats().idle_bytes == 0; }));
  EXPECT_GT(Clock::now() - freed, 4s);
  EXPECT_LT(Clock::now() - freed, 8s);
}
INSTANTIATE_TEST_SUITE_P(, IdlePoolTest,
                         testing::Values(Mode::Caller, Mode::Event, Mode::Blocking, Mode::Adaptive),
                         [](const auto& info) { return nameOf(info.param); });

TEST_F(PoolTest, WakesASleepingWorkerOnce) {
  const auto worker = makeWorker();
  const EventThread thread(worker);
  { const HostBuffer buffer(8 * kMib); }
  const std::uint64_t before = worker->stats().wake_ups;
  ASSERT_TRUE(in(compat::kDeadline, [] { return poolStats().idle_bytes == 0; }));
  ASSERT_TRUE(in(compat::kDeadline, [&] { return worker->stats().wake_ups > before; }));
  const std::uint64_t after = worker->stats().wake_ups;
  EXPECT_LE(after, before + 1);
  EXPECT_FALSE(in(local::Arena::kRest + 1s, [&] { return worker->stats().wake_ups > after; }));
}

TEST_F(PoolTest, StaysWhereNobodyMovesALoop) {
  const auto worker = makeWorker();
  { const HostBuffer buffer(8 * kMib); }
  EXPECT_FALSE(in(local::Arena::kRest + 1s, [] { return poolStats().idle_bytes == 0; }));
  worker->progress();
  EXPECT_TRUE(compat::until({worker}, [] { return poolStats().idle_bytes == 0; }));
}

}  // namespace
}  // namespace ucxx::core::test
