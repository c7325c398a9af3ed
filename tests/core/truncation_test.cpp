// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A message longer than its receive, and what a probe takes out, for each protocol.

#include <cstring>
#include <tuple>

#include "core/fixtures.h"

namespace ucxx::core::test {
namespace {

constexpr Tag kLongTag{5};

class ProtocolTest : public testing::TestWithParam<std::tuple<Route, int>> {
 protected:
  Route route() const { return std::get<0>(GetParam()); }
  std::size_t size() const { return kProtocols[std::get<1>(GetParam())].size; }

  void expectTruncated(const Request& request, const std::vector<std::byte>& buffer) {
    EXPECT_EQ(request.getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
    EXPECT_EQ(request.getReceivedLength(), size());
    try {
      request.checkError();
      ADD_FAILURE() << "no exception";
    } catch (const MessageTruncatedError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(std::to_string(size())), std::string::npos) << text;
      EXPECT_NE(text.find(std::to_string(size() - 1)), std::string::npos) << text;
    }
    EXPECT_EQ(buffer.back(), std::byte{0x5a});
  }
  void expectWorks() {
    const auto sent = bytes(size(), 3);
    std::vector<std::byte> received(size());
    ASSERT_TRUE(ends_.ended({ends_.left->tagSend(sent.data(), size(), kLongTag),
                             ends_.right->tagRecv(received.data(), size(), kLongTag)}));
    EXPECT_TRUE(received == sent);
  }

  Ends ends_{route(), Mode::Caller, withoutFetchAhead()};
};
class TruncationTest : public ProtocolTest {};
class ProbeTest : public ProtocolTest {};

TEST_P(TruncationTest, PostedReceive) {
  const auto sent = bytes(size());
  std::vector<std::byte> buffer(size(), std::byte{0x5a});
  auto receive = ends_.right->tagRecv(buffer.data(), size() - 1, kLongTag);
  auto send = ends_.left->tagSend(sent.data(), size(), kLongTag);
  ASSERT_TRUE(ends_.ended({receive, send}));
  expectTruncated(*receive, buffer);
  EXPECT_EQ(send->getStatus(), UCS_OK);
  expectWorks();
}

TEST_P(TruncationTest, UnexpectedMessage) {
  const auto sent = bytes(size());
  std::vector<std::byte> buffer(size(), std::byte{0x5a});
  auto send = ends_.left->tagSend(sent.data(), size(), kLongTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kLongTag));
  auto receive = ends_.right->tagRecv(buffer.data(), size() - 1, kLongTag);
  ASSERT_TRUE(ends_.ended({receive, send}));
  expectTruncated(*receive, buffer);
  EXPECT_EQ(send->getStatus(), UCS_OK);
  expectWorks();
}

TEST_P(ProbeTest, TellsAndLeaves) {
  const auto sent = bytes(size());
  EXPECT_FALSE(ends_.right_worker->tagProbe(kLongTag)->isMatched());
  auto send = ends_.left->tagSend(sent.data(), size(), kLongTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kLongTag));
  const auto probe = ends_.right_worker->tagProbe(Tag{0}, TagMask{0});
  EXPECT_EQ(probe->getInfo().length, size());
  EXPECT_EQ(probe->getInfo().senderTag, kLongTag);
  std::vector<std::byte> received(size());
  ASSERT_TRUE(ends_.ended({send, ends_.right_worker->tagRecv(received.data(), size(), kLongTag)}));
  EXPECT_TRUE(received == sent);
}

TEST_P(ProbeTest, RemovedMessageIsReceivedByItsHandle) {
  const auto sent = bytes(size());
  auto send = ends_.left->tagSend(sent.data(), size(), kLongTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kLongTag));
  const auto probe = ends_.right_worker->tagProbe(kLongTag, TagMaskFull, true);
  EXPECT_FALSE(ends_.right_worker->tagProbe(kLongTag)->isMatched());
  std::vector<std::byte> received(size());
  auto receive = ends_.right_worker->tagRecvWithHandle(received.data(), probe);
  ASSERT_TRUE(ends_.ended({send, receive}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
  EXPECT_TRUE(received == sent);
}

TEST_P(ProbeTest, RemovedAndDroppedMessageEndsItsSend) {
  const auto sent = bytes(size());
  auto send = ends_.left->tagSend(sent.data(), size(), kLongTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kLongTag));
  (void)ends_.right_worker->tagProbe(kLongTag, TagMaskFull, true);
  ASSERT_TRUE(ends_.ended({send}));
  EXPECT_EQ(send->getStatus(), UCS_OK);
  expectWorks();
}

TEST_P(ProbeTest, RemovedMessageOutlivesItsLink) {
  if (route() == Route::Self) return;  // its link ends with the worker
  const auto sent = bytes(size());
  auto send = ends_.left->tagSend(sent.data(), size(), kLongTag);
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, kLongTag));
  // Fragments are sent at once; all of them have come when a later message has.
  auto last = ends_.left->tagSend(nullptr, 0, Tag{6});
  ASSERT_TRUE(ends_.arrived(ends_.right_worker, Tag{6}));
  const bool was_over = send->isCompleted();
  if (size() <= kAtOnceBytes || size() == kAnnouncedBytes) {
    EXPECT_EQ(was_over, size() <= kAtOnceBytes);
  }
  const auto probe = ends_.right_worker->tagProbe(kLongTag, TagMaskFull, true);
  send = last = nullptr;
  ends_.left = nullptr;
  ends_.left_worker = nullptr;
  ASSERT_TRUE(compat::until({ends_.right_worker}, [&] { return !ends_.right->isAlive(); }));
  for (int i = 0; i < 1000; ++i) ends_.right_worker->progress();
  std::vector<std::byte> received(size());
  auto receive = ends_.right_worker->tagRecvWithHandle(received.data(), probe);
  ASSERT_TRUE(compat::ended({ends_.right_worker}, {receive}));
  if (was_over) {
    EXPECT_EQ(receive->getStatus(), UCS_OK);
    EXPECT_TRUE(received == sent);
  } else {
    EXPECT_EQ(receive->getStatus(), UCS_ERR_CONNECTION_RESET);
  }
}

std::string nameOfCase(const testing::TestParamInfo<ProtocolTest::ParamType>& info) {
  return nameOf(std::get<0>(info.param)) + kProtocols[std::get<1>(info.param)].name;
}
const auto kAll = testing::Combine(testing::ValuesIn(kRoutes), testing::Range(0, 3));
INSTANTIATE_TEST_SUITE_P(All, TruncationTest, kAll, nameOfCase);
INSTANTIATE_TEST_SUITE_P(All, ProbeTest, kAll, nameOfCase);

TEST(MultiLimitTest, ErrorTellsWhatCameAndWhatIsAllowed) {
  WorkerOptions options;
  options.multi_frames = 2;
  const auto worker = createContext()->createWorker(options);
  const auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  const int value = 1;
  const auto send =
      endpoint->tagMultiSend(std::vector<const void*>(3, &value), {4, 4, 4}, {0, 0, 0}, kLongTag);
  const auto receive = endpoint->tagMultiRecv(kLongTag, TagMaskFull);
  ASSERT_TRUE(receive->wait(std::chrono::seconds(20)));
  try {
    receive->checkError();
    ADD_FAILURE() << "no exception";
  } catch (const ExceedsLimitError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("3 frames"), std::string::npos) << text;
    EXPECT_NE(text.find("at most 2 frames"), std::string::npos) << text;
  }
}

/// A message whose table alone is longer than any that is allowed: it is never read.
class MultiExcessTest : public testing::TestWithParam<std::tuple<Route, bool>> {
 protected:
  static WorkerOptions options() {
    WorkerOptions options;
    options.multi_frames = 16;
    return options;
  }
  Requests exchange(std::size_t small_frames) {
    const bool posted = std::get<1>(GetParam());
    auto receive = posted ? ends_.right->tagMultiRecv(kLongTag, TagMaskFull) : nullptr;
    std::vector<const void*> buffers(small_frames + 1, large_.data());
    std::vector<std::size_t> sizes(small_frames, 0);
    sizes.push_back(large_.size());
    auto send = ends_.left->tagMultiSend(buffers, sizes, std::vector<int>(sizes.size()), kLongTag);
    for (int i = 0; i < 100; ++i) {
      for (const auto& worker : ends_.workers()) worker->progress();
    }
    if (!posted) receive = ends_.right->tagMultiRecv(kLongTag, TagMaskFull);
    return {receive, send};
  }

  const std::vector<std::byte> large_ = bytes(64 << 10);
  Ends ends_{std::get<0>(GetParam()), Mode::Caller, options()};
};

TEST_P(MultiExcessTest, EndsTheSendAndSaysWhatIsAllowed) {
  for (const std::size_t frames : {40'000u, 1'000'000u}) {  // eager; announced
    const Requests requests = exchange(frames);
    ASSERT_TRUE(ends_.ended(requests)) << frames;
    EXPECT_EQ(requests[1]->getStatus(), UCS_OK);
    ASSERT_EQ(requests[0]->getStatus(), UCS_ERR_EXCEEDS_LIMIT);
    try {
      requests[0]->checkError();
    } catch (const ExceedsLimitError& error) {
      EXPECT_NE(std::string(error.what()).find("at most 16 frames"), std::string::npos)
          << error.what();
    }
  }
  const Requests requests = exchange(2);
  ASSERT_TRUE(ends_.ended(requests));
  EXPECT_EQ(requests[0]->getStatus(), UCS_OK);
}

INSTANTIATE_TEST_SUITE_P(All, MultiExcessTest,
                         testing::Combine(testing::ValuesIn(kRoutes), testing::Bool()),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "Posted" : "Unexpected");
                         });

}  // namespace
}  // namespace ucxx::core::test
