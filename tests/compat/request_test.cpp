// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <future>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::kDeadline;
using compat::Pair;
using compat::Progress;
using compat::Self;

TEST(CompatRequestTest, CallbackRunsBeforeOthersSeeCompletion) {
  Self self(Progress::PollingThread);
  int sent = 1;
  int received = 0;
  std::promise<std::shared_ptr<ucxx::Request>> posted;
  std::promise<void> entered;
  std::promise<void> leave;
  auto receive = self.endpoint->tagRecv(
      &received, sizeof received, ucxx::Tag{0}, ucxx::TagMaskFull, false,
      [&](ucs_status_t status, std::shared_ptr<void>) {
        auto request = posted.get_future().get();
        EXPECT_TRUE(request->isCompleted());
        EXPECT_EQ(request->getStatus(), status);
        EXPECT_EQ(status, UCS_OK);
        entered.set_value();
        leave.get_future().wait_for(kDeadline);
      },
      nullptr);
  posted.set_value(receive);
  auto send = self.endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{0});
  ASSERT_EQ(entered.get_future().wait_for(kDeadline), std::future_status::ready);
  EXPECT_FALSE(receive->isCompleted());
  EXPECT_EQ(receive->getStatus(), UCS_INPROGRESS);
  EXPECT_NO_THROW(receive->checkError());
  leave.set_value();
  EXPECT_TRUE(self.wait({receive, send}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
}

TEST(CompatRequestTest, CallbackRunsOnceWithItsData) {
  Self self;
  int sent = 1;
  int received = 0;
  int calls = 0;
  auto data = std::make_shared<int>(42);
  auto receive = self.endpoint->tagRecv(
      &received, sizeof received, ucxx::Tag{0}, ucxx::TagMaskFull, false,
      [&](ucs_status_t status, std::shared_ptr<void> argument) {
        ++calls;
        EXPECT_EQ(status, UCS_OK);
        EXPECT_EQ(*std::static_pointer_cast<int>(argument), 42);
      },
      data);
  auto send = self.endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{0});
  EXPECT_TRUE(self.wait({receive, send}));
  while (self.worker->progress()) {
  }
  EXPECT_EQ(calls, 1);
}

TEST(CompatRequestTest, DroppedRequestStillReceivesAndCallsBack) {
  Pair pair;
  int sent = 5;
  auto kept = std::make_shared<int>(0);
  std::weak_ptr<int> watched = kept;
  bool called = false;
  void* memory = kept.get();
  (void)pair.server->tagRecv(
      memory, sizeof(int), ucxx::Tag{0}, ucxx::TagMaskFull, false,
      [&](ucs_status_t status, std::shared_ptr<void> argument) {
        EXPECT_EQ(status, UCS_OK);
        EXPECT_EQ(*std::static_pointer_cast<int>(argument), 5);
        called = true;
      },
      std::move(kept));
  EXPECT_FALSE(watched.expired());
  (void)pair.client->tagSend(&sent, sizeof sent, ucxx::Tag{0});
  EXPECT_TRUE(pair.until([&] { return called; }));
  EXPECT_TRUE(pair.until([&] { return watched.expired(); }));
}

TEST(CompatRequestTest, CallbackMayPostTheNextTransfer) {
  Self self;
  int value = 1;
  int first = 0;
  int second = 0;
  std::shared_ptr<ucxx::Request> next;
  auto receive = self.endpoint->tagRecv(
      &first, sizeof first, ucxx::Tag{0}, ucxx::TagMaskFull, false,
      [&](ucs_status_t, std::shared_ptr<void>) {
        next = self.endpoint->tagRecv(&second, sizeof second, ucxx::Tag{1});
        (void)self.endpoint->tagSend(&first, sizeof first, ucxx::Tag{1});
      },
      nullptr);
  auto send = self.endpoint->tagSend(&value, sizeof value, ucxx::Tag{0});
  ASSERT_TRUE(self.wait({receive, send}));
  ASSERT_NE(next, nullptr);
  ASSERT_TRUE(self.wait({next}));
  EXPECT_EQ(second, 1);
}

TEST(CompatRequestTest, ParentIsTheEndpointOrTheWorker) {
  Self self;
  char buffer = 0;
  auto on_endpoint = self.endpoint->tagRecv(&buffer, 1, ucxx::Tag{1});
  auto on_worker = self.worker->tagRecv(&buffer, 1, ucxx::Tag{1}, ucxx::TagMaskFull);
  EXPECT_EQ(on_endpoint->getParent(), self.endpoint);
  EXPECT_EQ(on_worker->getParent(), self.worker);
  on_endpoint->cancel();
  on_worker->cancel();
  EXPECT_TRUE(self.wait({on_endpoint, on_worker}));
}

TEST(CompatRequestTest, CancelEndsAReceiveAndSparesWhatIsComplete) {
  for (const auto progress : {Progress::Caller, Progress::BlockingThread}) {
    Self self(progress);
    char buffer = 0;
    auto receive = self.worker->tagRecv(&buffer, 1, ucxx::Tag{1}, ucxx::TagMaskFull);
    EXPECT_NO_THROW(receive->checkError());
    receive->cancel();
    ASSERT_TRUE(self.wait({receive}));
    EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
    EXPECT_THROW(receive->checkError(), ucxx::CanceledError);
    receive->cancel();
    EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);

    char sent = 2;
    receive = self.worker->tagRecv(&buffer, 1, ucxx::Tag{2}, ucxx::TagMaskFull);
    auto send = self.endpoint->tagSend(&sent, 1, ucxx::Tag{2});
    ASSERT_TRUE(self.wait({receive, send}));
    receive->cancel();
    EXPECT_EQ(receive->getStatus(), UCS_OK);
    EXPECT_EQ(buffer, 2);
  }
}

TEST(CompatRequestTest, CancelBeforeSubmissionIsCanceledToo) {
  auto worker = ucxx::createContext()->createWorker(true);
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  char buffer = 0;
  auto send = endpoint->tagSend(&buffer, 1, ucxx::Tag{0});
  send->cancel();
  worker->startProgressThread();
  ASSERT_TRUE(compat::ended({worker}, {send}));
  EXPECT_EQ(send->getStatus(), UCS_ERR_CANCELED);
}

TEST(CompatRequestTest, OtherRequestsHaveNoReceiveBuffer) {
  Self self;
  char buffer = 0;
  auto receive = self.worker->tagRecv(&buffer, 1, ucxx::Tag{1}, ucxx::TagMaskFull);
  EXPECT_EQ(receive->getRecvBuffer(), nullptr);
  EXPECT_EQ(receive->getRecvHeader(), "");
  receive->cancel();
  EXPECT_TRUE(self.wait({receive}));
}

TEST(CompatRequestTest, AttributesNeedTheWorkersOption) {
  Self self;
  char buffer = 0;
  auto receive = self.worker->tagRecv(&buffer, 1, ucxx::Tag{1}, ucxx::TagMaskFull);
  EXPECT_THROW(receive->queryAttributes(), ucxx::UnsupportedError);
  receive->cancel();
  EXPECT_TRUE(self.wait({receive}));
}

TEST(CompatRequestTest, AttributesOfWhatEndedInItsCall) {
  auto worker = ucxx::createContext()->workerBuilder().requestAttributes().build();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  int sent = 1, received = 0;
  const auto receive = endpoint->tagRecv(&received, sizeof received, ucxx::Tag{1});
  const auto send = endpoint->tagSend(&sent, sizeof sent, ucxx::Tag{1});
  ASSERT_TRUE(send->isCompleted());
  const auto send_later = endpoint->tagSend(&sent, 3, ucxx::Tag{2});
  const auto receive_at_once = endpoint->tagRecv(&received, sizeof received, ucxx::Tag{2});
  ASSERT_TRUE(receive_at_once->isCompleted());
  const auto has = [](const ucxx::Request& request, const char* text) {
    return request.queryAttributes().debugString.find(text) != std::string::npos;
  };
  EXPECT_TRUE(has(*send, "length 4"));
  EXPECT_TRUE(has(*receive, "length 4"));
  EXPECT_TRUE(has(*send_later, "length 3"));
  EXPECT_TRUE(has(*receive_at_once, "length 3"));  // what came, not what there was room for
  EXPECT_EQ(send->queryAttributes().memoryType, UCS_MEMORY_TYPE_HOST);
}

TEST(CompatRequestTest, AttributesNameLengthAndMemory) {
  auto worker = ucxx::createContext()->workerBuilder().requestAttributes().build();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  std::vector<std::uint8_t> buffer(compat::kLarge);
  auto receive = endpoint->tagRecv(buffer.data(), buffer.size(), ucxx::Tag{1});
  const auto attributes = receive->queryAttributes();
  EXPECT_EQ(attributes.memoryType, UCS_MEMORY_TYPE_HOST);
  EXPECT_NE(attributes.debugString.find("length " + std::to_string(buffer.size())),
            std::string::npos);
  EXPECT_NE(attributes.debugString.find("host"), std::string::npos);
  receive->cancel();
  EXPECT_TRUE(compat::ended({worker}, {receive}));
}

}  // namespace
