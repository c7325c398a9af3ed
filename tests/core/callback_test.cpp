// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Callbacks of users: what they may post and are asked, and that nothing happens when they throw.

#include <functional>
#include <mutex>
#include <stdexcept>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

class ThrowTest : public testing::TestWithParam<std::tuple<Mode, bool>> {
 public:
  ThrowTest() {
    setLogSink([this](LogLevel, std::string_view, std::string_view text) {
      const std::lock_guard lock(mutex_);
      log_ += std::string(text) + "\n";
    });
  }
  ~ThrowTest() override { setLogSink(nullptr); }

  [[noreturn]] void fail() const {
    if (std::get<1>(GetParam())) throw std::runtime_error("on purpose");
    throw 42;  // NOLINT: users may
  }
  bool isLogged() {
    const std::lock_guard lock(mutex_);
    return log_.find("threw") != std::string::npos;
  }
  void expectWorks() {
    for (const Move move : {Move::Tag, Move::Am}) {
      Sending sending(move, *ends_.left, bytes(100));
      Receiving receiving(move, *ends_.right, 100, received_);
      ASSERT_TRUE(ends_.ended({sending.request, receiving.request}));
      EXPECT_TRUE(receiving.payload() == sending.payload());
    }
  }

  std::mutex mutex_;
  std::string log_;
  Received received_;
  Ends ends_{Route::Listener, std::get<0>(GetParam())};
};

TEST_P(ThrowTest, Completion) {
  auto receive = ends_.right->tagRecv(nullptr, 0, Tag{3}, TagMaskFull, false,
                                      [&](ucs_status_t, std::shared_ptr<void>) { fail(); });
  auto send = ends_.left->tagSend(nullptr, 0, Tag{3}, false,
                                  [&](ucs_status_t, std::shared_ptr<void>) { fail(); });
  ASSERT_TRUE(ends_.ended({send, receive}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
  EXPECT_TRUE(isLogged());
  expectWorks();
}

TEST_P(ThrowTest, Close) {
  auto extra = ends_.left_worker->createEndpointFromWorkerAddress(ends_.right_worker->getAddress());
  extra->setCloseCallback([&](ucs_status_t, std::shared_ptr<void>) { fail(); }, nullptr);
  auto close = extra->close();
  ASSERT_TRUE(ends_.ended({close}));
  EXPECT_TRUE(isLogged());
  expectWorks();
}

TEST_P(ThrowTest, AmReceiver) {
  ends_.right_worker->registerAmReceiverCallback(kReceiver,
                                                 [&](std::shared_ptr<Request>, ucp_ep_h) {
                                                   ++received_.count;
                                                   fail();
                                                 });
  for (const std::size_t size : {10, 1 << 20}) {
    Sending sending(Move::AmCallback, *ends_.left, bytes(size));
    ASSERT_TRUE(ends_.ended({sending.request}));
  }
  ASSERT_TRUE(ends_.until([&] { return received_.count == 2 && isLogged(); }));
  expectWorks();
}

TEST_P(ThrowTest, AmAllocator) {
  ends_.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST,
                                          [&](std::size_t) -> std::shared_ptr<Buffer> { fail(); });
  Sending sending(Move::Am, *ends_.left, bytes(1 << 20));
  Receiving receiving(Move::Am, *ends_.right, 1 << 20, received_);
  ASSERT_TRUE(ends_.ended({sending.request, receiving.request}));
  EXPECT_EQ(receiving.request->getStatus(), UCS_ERR_NO_MEMORY);
  expectWorks();
}

TEST_P(ThrowTest, ConnectionRequest) {
  auto listener = ends_.right_worker->createListener(
      0, [](ucp_conn_request_h, void* self) { static_cast<ThrowTest*>(self)->fail(); }, this);
  auto endpoint = ends_.left_worker->createEndpointFromHostname("127.0.0.1", listener->getPort());
  ASSERT_TRUE(ends_.until([&] { return isLogged() && !endpoint->isAlive(); }));
  EXPECT_THROW(endpoint->raiseOnError(), RejectedError);
  expectWorks();
}

TEST_P(ThrowTest, Generic) {
  if (!ends_.left_worker->isProgressThreadRunning()) return;
  EXPECT_TRUE(ends_.left_worker->registerGenericPre([&] { fail(); }));
  EXPECT_TRUE(ends_.left_worker->registerGenericPost([&] { fail(); }));
  EXPECT_TRUE(isLogged());
  expectWorks();
}

TEST_P(ThrowTest, ThreadStart) {
  if (!ends_.left_worker->isProgressThreadRunning()) return;
  ends_.left_worker->stopProgressThread();
  ends_.left_worker->setProgressThreadStartCallback([&](void*) { fail(); }, nullptr);
  ends_.left_worker->startProgressThread(ProgressOptions{});
  ASSERT_TRUE(ends_.until([&] { return isLogged(); }));
  expectWorks();
}

TEST_P(ThrowTest, LogSink) {
  setLogSink([this](LogLevel, std::string_view, std::string_view) { fail(); });
  auto send = ends_.left->tagSend(nullptr, 0, Tag{3}, false,
                                  [&](ucs_status_t, std::shared_ptr<void>) { fail(); });
  ASSERT_TRUE(ends_.ended({send}));
  ASSERT_TRUE(ends_.ended({ends_.right->tagRecv(nullptr, 0, Tag{3})}));
  expectWorks();
}

INSTANTIATE_TEST_SUITE_P(
    All, ThrowTest,
    testing::Combine(testing::Values(Mode::Caller, Mode::Event, Mode::Adaptive), testing::Bool()),
    [](const auto& info) {
      return nameOf(std::get<0>(info.param)) + (std::get<1>(info.param) ? "Exception" : "Integer");
    });

TEST(CallbackPostTest, NestedPostsKeepTheirOrder) {
  Ends ends(Route::Self);
  std::vector<std::uint64_t> posted, arrived;
  const auto send = [&](std::uint64_t number, RequestCallbackUserFunction then) {
    posted.push_back(number);
    (void)ends.left->tagSend(nullptr, 0, Tag{number}, false, std::move(then));
  };
  const std::function<void(std::uint64_t)> post = [&](std::uint64_t number) {
    send(number, [&, number](ucs_status_t, std::shared_ptr<void>) {
      if (number == 30) return;
      post(number + 1);
      send(100 + number, nullptr);
    });
  };
  post(0);
  ASSERT_TRUE(ends.until([&] { return posted.size() == 61; }));
  for (std::size_t i = 0; i < posted.size(); ++i) {
    auto receive = ends.right->tagRecv(nullptr, 0, Tag{0}, TagMask{0});
    ASSERT_TRUE(ends.ended({receive}));
    arrived.push_back(receive->getSenderTag());
  }
  EXPECT_EQ(arrived, posted);
}

TEST(AmAllocatorTest, IsAskedOnTheSelfChannelWhicheverComesFirst) {
  Ends ends(Route::Self);
  Received none;
  int asked = 0;
  ends.left_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [&](std::size_t size) {
    ++asked;
    return std::make_shared<HostBuffer>(size);
  });
  {
    Receiving receiving(Move::Am, *ends.left, 1 << 20, none);
    Sending sending(Move::Am, *ends.left, bytes(1 << 20, 1));
    ASSERT_TRUE(ends.ended({receiving.request, sending.request}));
    EXPECT_TRUE(receiving.payload() == sending.payload());
    EXPECT_EQ(asked, 1);
  }
  Sending sending(Move::Am, *ends.left, bytes(1 << 20, 2));
  Receiving receiving(Move::Am, *ends.left, 1 << 20, none);
  ASSERT_TRUE(ends.ended({receiving.request, sending.request}));
  EXPECT_TRUE(receiving.payload() == sending.payload());
  EXPECT_EQ(asked, 2);
}

/// Nobody holds the endpoint that it came to; the worker frees it.
TEST(AmAllocatorTest, FailedMessageOutlivesItsEndpoint) {
  Ends ends(Route::Listener);
  const AmReceiverCallbackInfo info("app", 1);
  std::shared_ptr<Request> failed;
  ends.right_worker->registerAmAllocator(
      UCS_MEMORY_TYPE_HOST, [](std::size_t) -> std::shared_ptr<Buffer> { return nullptr; });
  ends.right_worker->registerAmReceiverCallback(
      info, [&](std::shared_ptr<Request> request, ucp_ep_h) { failed = std::move(request); });
  auto passive = ends.left_worker->createEndpointFromWorkerAddress(ends.right_worker->getAddress());
  const auto sent = bytes(kAnnouncedBytes);
  AmSendParams params;
  params.receiverCallbackInfo = info;
  auto send = passive->amSend(sent.data(), sent.size(), params);
  ASSERT_TRUE(ends.until([&] { return failed != nullptr; }));
  auto close = passive->close();
  ASSERT_TRUE(ends.ended({close}));
  const auto endpoints = [&] {
    const std::string text = ends.right_worker->describe();
    return text.find(" 1 endpoints") != std::string::npos;
  };
  ASSERT_TRUE(ends.until(endpoints)) << ends.right_worker->describe();
  EXPECT_THROW(failed->checkError(), NoMemoryError);
}

}  // namespace
}  // namespace ucxx::core::test
