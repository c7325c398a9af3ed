// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Generic callbacks, floods, limits, and a program's own poll loop.

#include <ctime>
#include <functional>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

TEST(GenericTest, RunsOnTheProgressThread) {
  for (const ProgressMode mode :
       {ProgressMode::Polling, ProgressMode::Blocking, ProgressMode::Adaptive}) {
    auto worker = makeWorker();
    worker->startProgressThread({mode, {}});
    std::thread::id pre, post;
    EXPECT_TRUE(worker->registerGenericPre([&] { pre = std::this_thread::get_id(); }));
    EXPECT_TRUE(worker->registerGenericPost([&] { post = std::this_thread::get_id(); }));
    EXPECT_EQ(pre, worker->getProgressThreadId());
    EXPECT_EQ(post, worker->getProgressThreadId());
    bool nested = false;
    EXPECT_TRUE(
        worker->registerGenericPre([&] { worker->registerGenericPre([&] { nested = true; }); }));
    EXPECT_TRUE(nested);
  }
}

TEST(GenericTest, TimesOutWithoutAThreadAndDoesNotRunLater) {
  auto worker = makeWorker();
  bool ran = false;
  EXPECT_FALSE(worker->registerGenericPre([&] { ran = true; }, 1'000'000));
  worker->startProgressThread(ProgressOptions{});
  EXPECT_TRUE(worker->registerGenericPre([] {}));
  EXPECT_FALSE(ran);
}

TEST(GenericTest, WaitsForAThread) {
  auto worker = makeWorker();
  std::thread waiter([&] { EXPECT_TRUE(worker->registerGenericPost([] {})); });
  worker->startProgressThread(ProgressOptions{});
  waiter.join();
}

/// Receives of which each posts the next one and a message for it, for `limit`.
class Flood {
 public:
  explicit Flood(std::chrono::seconds limit) : end_(Clock::now() + limit) {}
  void post() {
    if (Clock::now() > end_) return;
    worker->tagRecv(nullptr, 0, Tag{1}, TagMaskFull, false,
                    [this](ucs_status_t status, std::shared_ptr<void>) {
                      ++count;
                      if (status == UCS_OK) post();
                    });
    (void)self->tagSend(nullptr, 0, Tag{1});
  }
  std::atomic<std::uint64_t> count{0};

 private:
  Clock::time_point end_;

 public:
  std::shared_ptr<Worker> worker = makeWorker();
  std::shared_ptr<Endpoint> self = worker->createEndpointFromWorkerAddress(worker->getAddress());
};

TEST(FloodTest, ProgressReturnsThoughCallbacksPostForEver) {
  Flood flood(4s);
  auto begin = Clock::now();
  flood.post();
  EXPECT_LT(Clock::now() - begin, 1s);
  for (int i = 0; i < 3; ++i) {
    begin = Clock::now();
    flood.worker->progress();
    EXPECT_LT(Clock::now() - begin, 1s);
  }
}

TEST(FloodTest, StopReturnsThoughCallbacksPostForEver) {
  for (const ProgressMode mode : {ProgressMode::Polling, ProgressMode::Adaptive}) {
    Flood flood(4s);
    flood.worker->startProgressThread({mode, {}});
    flood.post();
    ASSERT_TRUE(in(3s, [&] { return flood.count > 1000; }));
    const auto begin = Clock::now();
    flood.worker->stopProgressThread();
    EXPECT_LT(Clock::now() - begin, 1s);
  }
}

TEST(LimitTest, WaitForTheLongestTimeWaits) {
  for (const Mode mode : {Mode::Caller, Mode::Blocking}) {
    SCOPED_TRACE(nameOf(mode));
    auto worker = makeWorker();
    if (mode == Mode::Blocking) worker->startProgressThread({ProgressMode::Blocking, {}});
    auto receive = worker->tagRecv(nullptr, 0, kTag);
    std::atomic<bool> returned{false};
    bool ended = false;
    std::thread waiter([&] {
      ended = receive->wait(std::chrono::nanoseconds::max());
      returned = true;
    });
    EXPECT_FALSE(in(
        100ms, [&] { return returned.load(); }));  // on purpose: that nothing happens has no event
    receive->cancel();
    waiter.join();
    EXPECT_TRUE(ended);
  }
}

TEST(LimitTest, LongestConnectTimeoutIsNotOver) {
  WorkerOptions options;
  options.connect_timeout = std::chrono::milliseconds::max();
  Ends ends(Route::Listener, Mode::Caller, options);
  ASSERT_TRUE(
      ends.until([&] { return !ends.left->getPeerAddress().empty() || !ends.left->isAlive(); }));
  EXPECT_NO_THROW(ends.left->raiseOnError());
  auto other = ends.left_worker->createEndpointFromWorkerAddress(ends.right_worker->getAddress());
  EXPECT_TRUE(other->isAlive());
}

/// A program's own loop over the descriptors of two workers: it drains, arms, waits.
bool pollUntil(const Workers& workers, const std::function<bool()>& done) {
  const auto end = Clock::now() + compat::kDeadline;
  while (!done()) {
    if (Clock::now() > end) return false;
    bool moved = false;
    for (const auto& worker : workers) moved |= worker->progress();
    if (moved || done()) continue;
    std::vector<pollfd> fds;
    bool all_armed = true;
    for (const auto& worker : workers) {
      all_armed &= worker->arm();
      fds.push_back({worker->getEpollFileDescriptor(), POLLIN, 0});
    }
    if (all_armed && ::poll(fds.data(), fds.size(), 5000) == 0) return done();
  }
  return true;
}

TEST(OwnLoopTest, EverythingArrivesByTheDescriptorAlone) {
  auto left = makeWorker();
  auto right = makeWorker();
  const Workers workers{left, right};
  auto one = left->createEndpointFromWorkerAddress(right->getAddress());
  auto other = right->createEndpointFromWorkerAddress(left->getAddress());
  Received none;
  for (const std::size_t size : {1, 1000, 100000, 1 << 20, 8 << 20}) {
    for (const Move move : {Move::Tag, Move::Stream, Move::Am, Move::Multi}) {
      Sending sending(move, *one, bytes(size));
      Receiving receiving(move, *other, size, none);
      ASSERT_TRUE(pollUntil(workers,
                            [&] { return sending.request->isCompleted() && receiving.hasEnded(); }))
          << nameOf(move) << size << left->describe() << right->describe();
      EXPECT_TRUE(receiving.payload() == sending.payload());
    }
  }
  auto close = one->close();
  ASSERT_TRUE(pollUntil(workers, [&] { return close->isCompleted() && !other->isAlive(); }));
}

TEST(OwnLoopTest, DeadlinesWakeIt) {
  WorkerOptions options;
  options.connect_timeout = 200ms;
  options.close_timeout = 200ms;
  auto worker = createContext()->createWorker(options);
  auto silent = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(::bind(silent, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(::listen(silent, 8), 0);
  ASSERT_EQ(::getsockname(silent, reinterpret_cast<sockaddr*>(&address), &length), 0);
  auto endpoint = worker->createEndpointFromHostname("127.0.0.1", ntohs(address.sin_port));
  auto receive = endpoint->amRecv();
  const auto begin = Clock::now();
  ASSERT_TRUE(pollUntil({worker}, [&] { return receive->isCompleted(); }));
  EXPECT_LT(Clock::now() - begin, 3s);
  EXPECT_EQ(receive->getStatus(), UCS_ERR_TIMED_OUT);
  ::close(silent);
}

double cpuSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// How much of a core this process takes for 300 ms. (This waits on purpose: idleness has no
/// event.)
double idleShare() {
  const double before = cpuSeconds();
  const auto begin = Clock::now();
  std::this_thread::sleep_for(300ms);
  return (cpuSeconds() - before) / std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What the end of a peer leaves to do may take a while on a busy machine; who spins never stops.
bool isIdleSoon() {
  for (int looks = 0; looks < 20; ++looks) {
    if (idleShare() < 0.03) return true;
  }
  return false;
}

TEST(IdleTest, NobodySpins) {
  for (const Mode mode : {Mode::Event, Mode::Blocking, Mode::Adaptive}) {
    SCOPED_TRACE(nameOf(mode));
    Ends ends(Route::Listener, mode);
    Received none;
    Sending sending(Move::Tag, *ends.left, bytes(kAnnouncedBytes));
    Receiving receiving(Move::Tag, *ends.right, kAnnouncedBytes, none);
    ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
    EXPECT_TRUE(isIdleSoon());
  }
}

TEST(IdleTest, WhoWaitsForARequestSleeps) {
  for (const Route route : {Route::Self, Route::Listener}) {
    Ends ends(route);
    char byte = 0;
    auto receive = ends.right->tagRecv(&byte, 1, kTag);
    double share = 1;
    for (int looks = 0; looks < 20 && share > 0.1; ++looks) {
      const double before = cpuSeconds();
      EXPECT_FALSE(receive->wait(200ms));
      share = (cpuSeconds() - before) / 0.2;
    }
    EXPECT_LE(share, 0.1);
    const char sent = 7;
    auto send = ends.left->tagSend(&sent, 1, kTag);
    ASSERT_TRUE(ends.ended({send, receive}));
    EXPECT_EQ(byte, sent);
  }
}

TEST(IdleTest, WhoWaitsWakesWhenItComes) {
  Ends ends(Route::Listener);
  for (int round = 0; round < 20; ++round) {
    char byte = 0;
    auto receive = ends.right->tagRecv(&byte, 1, kTag);
    std::thread sender([&] {
      const auto begin = Clock::now();
      while (Clock::now() - begin < 5ms) std::this_thread::yield();  // it sleeps by then
      const char sent = 7;
      auto send = ends.left->tagSend(&sent, 1, kTag);
      EXPECT_TRUE(send->wait(20s));
    });
    EXPECT_TRUE(receive->wait(20s));
    sender.join();
    EXPECT_EQ(byte, 7);
  }
}

TEST(IdleTest, NobodySpinsAfterThePeerHasLeft) {
  for (const Mode mode : {Mode::Blocking, Mode::Adaptive}) {
    SCOPED_TRACE(nameOf(mode));
    Ends ends(Route::Address, mode);
    Sending sending(Move::Tag, *ends.left, bytes(100));
    std::vector<std::byte> received(100);
    ASSERT_TRUE(ends.ended({sending.request, ends.right->tagRecv(received.data(), 100, kTag)}));
    sending.request = nullptr;
    ends.left = nullptr;
    ends.left_worker = nullptr;
    ASSERT_TRUE(compat::until({ends.right_worker}, [&] { return !ends.right->isAlive(); }));
    ends.right = nullptr;
    EXPECT_TRUE(isIdleSoon()) << ends.right_worker->describe();
  }
}

/// A loop that polls in vain glances at its rings most of the time, and misses nothing by that.
TEST(GlanceTest, WhatAnotherThreadPostsStartsInTheNextRound) {
  Ends ends(Route::Listener);
  for (int i = 0; i < 100; ++i) {
    for (int idle = 0; idle < i; ++idle) ends.right_worker->progress();
    std::byte byte{};
    std::shared_ptr<Request> receive;
    std::thread([&] { receive = ends.right_worker->tagRecv(&byte, 1, kTag); }).join();
    const auto sent = bytes(1);
    const auto send = ends.left->tagSend(sent.data(), 1, kTag);
    ASSERT_TRUE(ends.ended({send, receive}));
    ASSERT_EQ(byte, sent[0]);
  }
}

TEST(GlanceTest, AMessageByAPolledRingComesInTheNextRound) {
  Ends ends(Route::Listener);
  if (!ends.isLocal()) return;  // over UCX it may need more of them
  for (const std::size_t size : {std::size_t{8}, std::size_t{1000}}) {
    const auto sent = bytes(size);
    std::vector<std::byte> received(size);
    for (int idle = 0; idle < 40; ++idle) {
      const auto receive = ends.right->tagRecv(received.data(), size, kTag);
      for (int i = 0; i < idle; ++i) ends.right_worker->progress();
      const auto send = ends.left->tagSend(sent.data(), size, kTag);
      ASSERT_TRUE(send->isCompleted());
      EXPECT_TRUE(ends.right_worker->progress()) << size << " bytes after " << idle << " rounds";
      ASSERT_TRUE(receive->isCompleted());
    }
  }
}

/// Peers of `ends.right_worker`, most of whose rings it does not poll.
class QuietPeers {
 public:
  explicit QuietPeers(const Ends& ends) {
    constexpr int kPeers = 8;         // more than are polled however idle they are
    constexpr int kRounds = 100'000;  // the others are not polled any more
    for (int i = 0; i < kPeers; ++i) {
      workers_.push_back(ends.context->createWorker());
      endpoints.push_back(
          workers_.back()->createEndpointFromWorkerAddress(ends.right_worker->getAddress()));
      const auto flushed = endpoints.back()->flush();
      EXPECT_TRUE(compat::until({workers_.back(), ends.right_worker},
                                [&] { return flushed->isCompleted(); }));
    }
    for (int i = 0; i < kRounds; ++i) ends.right_worker->progress();
  }

 private:
  Workers workers_;

 public:
  std::vector<std::shared_ptr<Endpoint>> endpoints;
};

TEST(GlanceTest, AMessageByARingThatIsNotPolledComesInSixteenRounds) {
  Ends ends(Route::Listener);
  if (!ends.isLocal()) return;  // there are no rings
  const QuietPeers peers(ends);
  const auto sent = bytes(1);
  for (const auto& endpoint : peers.endpoints) {
    std::byte byte{};
    const auto receive = ends.right_worker->tagRecv(&byte, 1, kTag);
    ASSERT_TRUE(endpoint->tagSend(sent.data(), 1, kTag)->isCompleted());
    for (int i = 0; i <= 16 && !receive->isCompleted(); ++i) ends.right_worker->progress();
    EXPECT_TRUE(receive->isCompleted());
  }
}

/// In each period one call of `progress()`, or as many as find something.
TEST(GlanceTest, AProgramThatComesSeldomFindsSuchAMessageInItsNextCall) {
  constexpr int kGlancesOfOneTime = 4;
  for (const bool comes_once : {true, false}) {
    for (int phase = 0; phase < kGlancesOfOneTime; ++phase) {
      SCOPED_TRACE("phase " + std::to_string(phase) + (comes_once ? ", once" : ", until nothing"));
      Ends ends(Route::Listener);
      if (!ends.isLocal()) return;  // there are no rings
      const QuietPeers peers(ends);
      const auto come = [&] {
        std::this_thread::sleep_for(1ms);  // longer than between two looks of a loop that polls
        while (ends.right_worker->progress() && !comes_once) {
        }
      };
      for (int i = 0; i < phase; ++i) ends.right_worker->progress();
      for (int i = 0; i < kGlancesOfOneTime; ++i) come();  // glances left from polling
      const auto sent = bytes(1);
      ASSERT_TRUE(ends.left->tagSend(sent.data(), 1, Tag{kTag + 1})->isCompleted());
      come();  // nobody waits for what it finds
      std::byte byte{};
      const auto receive = ends.right_worker->tagRecv(&byte, 1, kTag);
      ASSERT_TRUE(peers.endpoints[0]->tagSend(sent.data(), 1, kTag)->isCompleted());
      come();
      EXPECT_TRUE(receive->isCompleted());
      const auto untaken = ends.right->tagRecv(&byte, 1, Tag{kTag + 1});
      ASSERT_TRUE(ends.ended({untaken}));
    }
  }
}

}  // namespace
}  // namespace ucxx::core::test
