// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// No close, drop or end loses in silence what was sent before and nobody has taken.

#include <mutex>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr Move kAnnouncing[] = {Move::Tag, Move::TagIov, Move::Stream,
                                Move::Am,  Move::AmIov,  Move::Multi};

/// The warnings of the library, from here on.
class Warnings {
 public:
  Warnings() {
    setLogSink([this](LogLevel level, std::string_view, std::string_view text) {
      const std::lock_guard lock(mutex_);
      if (level <= LogLevel::Warn) lines_.emplace_back(text);
    });
  }
  ~Warnings() { setLogSink(nullptr); }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  bool have(std::string_view text) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(lines_.begin(), lines_.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return lines_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string errorOf(const Request& request) {
  return messageOf([&] { request.checkError(); });
}

/// Nothing but a receive takes it.
std::shared_ptr<Request> sendSync(Endpoint& endpoint, const std::vector<std::byte>& payload) {
  return endpoint.tagSendSync(payload.data(), payload.size(), kTag);
}

WorkerOptions closingIn(std::chrono::milliseconds timeout) {
  WorkerOptions options;
  options.close_timeout = timeout;
  return options;
}

class UntakenMoveTest : public testing::TestWithParam<Move> {};

/// Longer than the limit was once; the receiver goes on when the closer is known to wait.
TEST_P(UntakenMoveTest, AReceiverThatComputesGetsEverything) {
  Ends ends(Route::Listener);
  Received received;
  std::vector<Sending> sends;
  for (unsigned i = 0; i < 3; ++i)
    sends.emplace_back(GetParam(), *ends.left, bytes(kAnnouncedBytes, i));
  for (Sending& one : sends) one.request = nullptr;
  const auto close = ends.left->close();
  const auto waits_until = Clock::now() + (GetParam() == Move::Tag ? 1200ms : 30ms);
  ASSERT_TRUE(compat::until({ends.left_worker}, [&] { return Clock::now() > waits_until; }));
  EXPECT_FALSE(close->isCompleted());
  for (const Sending& one : sends) {
    Receiving receiving(GetParam(), *ends.right, kAnnouncedBytes, received);
    ASSERT_TRUE(ends.until([&] { return receiving.hasEnded(); }));
    EXPECT_TRUE(receiving.payload() == one.payload());
  }
  ASSERT_TRUE(ends.ended({close}));
  EXPECT_EQ(close->getStatus(), UCS_OK);
}

TEST_P(UntakenMoveTest, TheErrorSaysHowMuchIsLost) {
  Ends ends(Route::Listener);
  const Sending first(GetParam(), *ends.left, bytes(kAnnouncedBytes));
  const Sending second(GetParam(), *ends.left, bytes(kAnnouncedBytes));
  const auto close = ends.left->close(40ms);
  ASSERT_TRUE(compat::ended({ends.left_worker}, {close}));
  EXPECT_EQ(close->getStatus(), UCS_ERR_TIMED_OUT);
  const std::string error = errorOf(*close);
  EXPECT_TRUE(has(error, "2 messages with 10485760 bytes in all")) << error;
  EXPECT_TRUE(has(error, "within 40 ms")) << error;
  EXPECT_THROW(close->checkError(), TimedOutError);
  EXPECT_EQ(ends.left->close(), nullptr);
  ASSERT_TRUE(ends.ended({first.request, second.request}));
}

INSTANTIATE_TEST_SUITE_P(All, UntakenMoveTest, testing::ValuesIn(kAnnouncing),
                         [](const auto& info) { return nameOf(info.param); });

/// What the worker has for itself is dropped, which is no error of the sends.
TEST_P(UntakenMoveTest, WithItself) {
  Ends ends(Route::Self, Mode::Caller, withoutFetchAhead());
  const Sending sending(GetParam(), *ends.left, bytes(kAnnouncedBytes));
  const auto close = ends.left->close(40ms);
  ASSERT_TRUE(ends.ended({close}));
  EXPECT_EQ(close->getStatus(), UCS_ERR_TIMED_OUT);
  EXPECT_TRUE(has(errorOf(*close), "1 message with 5242880 bytes in all")) << errorOf(*close);
}

class UntakenTest : public testing::TestWithParam<Mode> {
 protected:
  const std::vector<std::byte> large_ = bytes(kAnnouncedBytes);  // outlives the workers
  Ends ends_{Route::Listener, GetParam()};
};

TEST_P(UntakenTest, TwoThatBothCloseDoNotWaitForEachOther) {
  sendSync(*ends_.left, large_);
  sendSync(*ends_.right, large_);
  const auto begin = Clock::now();
  const auto left = ends_.left->close();
  const auto right = ends_.right->close();
  ASSERT_TRUE(ends_.ended({left, right}));
  EXPECT_LT(Clock::now() - begin, 5s);  // the limit is 10 s
  for (const auto& close : {left, right}) {
    EXPECT_EQ(close->getStatus(), UCS_ERR_CONNECTION_RESET);
    EXPECT_TRUE(has(errorOf(*close), "1 message with 5242880 bytes")) << errorOf(*close);
  }
}

TEST_P(UntakenTest, APeerThatClosesMeanwhileEndsTheWait) {
  sendSync(*ends_.left, large_);
  const auto begin = Clock::now();
  const auto left = ends_.left->close();
  const auto right = ends_.right->close();
  ASSERT_TRUE(ends_.ended({left, right}));
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_EQ(right->getStatus(), UCS_OK);
  EXPECT_EQ(left->getStatus(), UCS_ERR_CONNECTION_RESET);
  EXPECT_TRUE(has(errorOf(*left), "1 message with 5242880 bytes")) << errorOf(*left);
}

TEST_P(UntakenTest, APeerThatHasClosedBeforeIsNoExcuse) {
  sendSync(*ends_.left, large_);  // nobody hears of its end
  const auto right = ends_.right->close();
  ASSERT_TRUE(ends_.until([&] { return !ends_.left->isAlive(); }));
  const auto begin = Clock::now();
  std::shared_ptr<Request> left;
  ASSERT_TRUE(ends_.until([&] {
    if (left == nullptr) left = ends_.left->close();
    return left != nullptr;
  }));
  ASSERT_TRUE(ends_.ended({left}));
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_EQ(left->getStatus(), UCS_ERR_CONNECTION_RESET);
  EXPECT_TRUE(has(errorOf(*left), "1 message with 5242880 bytes")) << errorOf(*left);
  EXPECT_EQ(ends_.left->close(), nullptr);
}

TEST_P(UntakenTest, WhoHasHeardOfItIsNotToldAgain) {
  const auto send = sendSync(*ends_.left, large_);
  const auto right = ends_.right->close();
  ASSERT_TRUE(ends_.ended({send, right}));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CONNECTION_RESET);
  ASSERT_TRUE(ends_.until([&] { return !ends_.left->isAlive(); }));
  const auto close = ends_.left->close();
  if (close == nullptr) return;  // else it had not ended when the endpoint failed
  ASSERT_TRUE(ends_.ended({close}));
  EXPECT_EQ(close->getStatus(), UCS_OK);
}

TEST_P(UntakenTest, WhatThePeerTakesJustNowIsWaitedFor) {
  const auto send = sendSync(*ends_.left, large_);
  std::vector<std::byte> room(large_.size());
  const auto receive = ends_.right_worker->tagRecv(room.data(), room.size(), kTag);
  const auto left = ends_.left->close();
  ASSERT_TRUE(ends_.ended({left, send, receive}));
  EXPECT_EQ(left->getStatus(), UCS_OK) << errorOf(*left);
  EXPECT_TRUE(room == large_);
}

TEST_P(UntakenTest, ACloseThatIsCancelledEndsAtOnce) {
  const Warnings warnings;
  const auto send = sendSync(*ends_.left, large_);
  const auto begin = Clock::now();
  const auto close = ends_.left->close();
  close->cancel();
  ASSERT_TRUE(ends_.ended({close, send}));
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_EQ(close->getStatus(), UCS_ERR_CANCELED);
  EXPECT_TRUE(warnings.have("1 message with 5242880 bytes"));
}

INSTANTIATE_TEST_SUITE_P(All, UntakenTest, testing::ValuesIn(kModes),
                         [](const auto& info) { return nameOf(info.param); });

TEST(UntakenLogTest, DroppingAnEndpointWarns) {
  const auto payload = bytes(kAnnouncedBytes);
  Ends ends(Route::Listener, Mode::Caller, closingIn(30ms));
  const Warnings warnings;
  sendSync(*ends.left, payload);
  ends.left = nullptr;
  ASSERT_TRUE(compat::until({ends.left_worker},
                            [&] { return warnings.have("1 message with 5242880 bytes in all"); }));
  EXPECT_EQ(warnings.count(), 1u);
}

TEST(UntakenLogTest, DroppingAWorkerWarnsOnceForAllEndpoints) {
  const auto payload = bytes(kAnnouncedBytes);
  Ends ends(Route::Listener);
  const Warnings warnings;
  sendSync(*ends.left, payload);
  sendSync(*ends.left, payload);
  ends.left = nullptr;
  const auto begin = Clock::now();
  ends.left_worker = nullptr;
  EXPECT_LT(Clock::now() - begin, 2s);
  EXPECT_TRUE(warnings.have("2 messages with 10485760 bytes in all"));
  EXPECT_EQ(warnings.count(), 1u);
}

TEST(UntakenLogTest, AnEndpointThatIsAbortedDropsOnPurpose) {
  const auto payload = bytes(kAnnouncedBytes);
  Ends ends(Route::Listener, Mode::Caller, closingIn(50ms));
  const Warnings warnings;
  sendSync(*ends.left, payload);
  ends.left->closeBlocking();
  EXPECT_EQ(ends.left->close(), nullptr);
  ends.left = nullptr;
  ends.left_worker = nullptr;
  EXPECT_EQ(warnings.count(), 0u);
}

TEST(UntakenLogTest, AProcessThatEndsIsWarnedOnce) {
  const auto payload = bytes(kAnnouncedBytes);
  Ends ends(Route::Listener);
  const Warnings warnings;
  const auto send = sendSync(*ends.left, payload);
  ends.left_worker->warnOfUntaken();
  ends.left_worker->warnOfUntaken();
  EXPECT_TRUE(warnings.have("1 message with 5242880 bytes in all"));
  EXPECT_EQ(warnings.count(), 1u);
}

TEST(UntakenLimitTest, TheBuilderTakesIt) {
  const auto payload = bytes(kAnnouncedBytes);
  Ends ends(Route::Listener);
  const auto send = sendSync(*ends.left, payload);
  const std::shared_ptr<Request> close = ends.left->closeBuilder().timeout(20ms);
  ASSERT_TRUE(compat::ended({ends.left_worker}, {close}));
  EXPECT_TRUE(has(errorOf(*close), "within 20 ms")) << errorOf(*close);
}

TEST(UntakenLimitTest, ANegativeOneIsRefused) {
  Ends ends(Route::Listener);
  EXPECT_THROW(ends.left->close(-1ms), InvalidParamError);
  EXPECT_TRUE(ends.left->isAlive());
}

TEST(UntakenLimitTest, WhatIsNotConnectedYetCounts) {
  const auto payload = bytes(100);
  const auto context = createContext();
  const auto worker = context->createWorker(), silent = context->createWorker();
  const auto listener = silent->createListener(
      0, [](ucp_conn_request_h, void*) {}, nullptr, "127.0.0.1");
  const auto endpoint = worker->createEndpointFromHostname("127.0.0.1", listener->getPort());
  const auto send = endpoint->tagSend(payload.data(), payload.size(), kTag);
  const auto close = endpoint->close(30ms);
  ASSERT_TRUE(compat::ended({worker}, {close}));
  EXPECT_TRUE(has(errorOf(*close), "1 message with 100 bytes in all")) << errorOf(*close);
  EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
}

}  // namespace
}  // namespace ucxx::core::test
