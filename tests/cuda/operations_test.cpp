// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Memory operations, streams, events.

#include "cuda/cuda_test.h"

namespace gpu {
namespace {

class OperationsTest : public CudaTest {
 protected:
  Result writeTo(Address address) { return driver().writeValue64(stream_, address, 1, 0); }
  const Stream stream_ = makeStream();
};

TEST_F(OperationsTest, WriteOnlyToWordsThatTheDriverKnows) {
  alignas(8) std::uint64_t ours = 0;
  Address managed = 0, device = 0;
  ASSERT_EQ(driver().allocateManaged(&managed, 64, 1), kSuccess);
  ASSERT_EQ(driver().allocate(&device, 60), kSuccess);
  EXPECT_EQ(writeTo(reinterpret_cast<Address>(&ours)), kInvalidValue);
  EXPECT_EQ(writeTo(managed), kInvalidValue);
  EXPECT_EQ(writeTo(words_.at(0) + 4), kInvalidValue);
  EXPECT_EQ(writeTo(0), kInvalidValue);
  EXPECT_EQ(writeTo(device + 56), kInvalidValue);  // half of it is behind the end
  EXPECT_EQ(writeTo(device + 48), kSuccess);
  EXPECT_EQ(driver().writeValue32(stream_, device + 56, 1, 0), kSuccess);
  EXPECT_EQ(driver().writeValue32(stream_, device + 2, 1, 0), kInvalidValue);
  EXPECT_TRUE(drains("writes", stream_));
}

TEST_F(OperationsTest, FlagsAreRefused) {
  EXPECT_EQ(driver().writeValue64(stream_, words_.at(0), 1, kNoBarrier), kInvalidValue);
  EXPECT_EQ(driver().waitValue64(stream_, words_.at(0), 0, 4), kInvalidValue);
  EXPECT_EQ(driver().waitValue64(stream_, words_.at(0), 0, kThenFlush), kNotSupported);
}

TEST_F(OperationsTest, ABatchHasLessThan256) {
  EXPECT_EQ(enqueue(stream_, Operations(255, write(words_, 1, 1))), kSuccess);
  EXPECT_EQ(enqueue(stream_, Operations(256, write(words_, 1, 1))), kInvalidValue);
  EXPECT_EQ(enqueue(stream_, {}), kSuccess);
  EXPECT_EQ(enqueue(stream_, {{.operation = kBarrier}}), kInvalidValue);
  EXPECT_EQ(enqueue(stream_, {{.operation = kFlush}}), kNotSupported);
}

TEST_F(OperationsTest, ABatchWithOneThatIsWrongDoesNothing) {
  MemoryOperation wrong = write(words_, 2, 1);
  wrong.address += 1;
  EXPECT_EQ(enqueue(stream_, {write(words_, 1, 1), wrong}), kInvalidValue);
  EXPECT_TRUE(drains("nothing", stream_));
  EXPECT_EQ(words_[1], 0u);
}

TEST(OperationsSettingTest, AFlushIsSupportedWhereTheAttributeSaysSo) {
  UCXX_EXPECT_WITH("attribute.98=1", 0, "", {
    useDevice();
    const Words words;
    const Stream stream = makeStream();
    return enqueue(stream, {write(words, 0, 1), {.operation = kFlush}}) == kSuccess &&
           driver().waitValue64(stream, words.at(0), 1, kThenFlush) == kSuccess &&
           drains("flush", stream);
  });
}

TEST_F(OperationsTest, NothingBehindAWaitComesBeforeIt) {
  ASSERT_EQ(driver().waitValue64(stream_, words_.at(0), 5, kGreaterOrEqual), kSuccess);
  ASSERT_EQ(driver().writeValue64(stream_, words_.at(1), 1, 0), kSuccess);
  const auto is_written = [&] { return words_[1] == 1; };
  EXPECT_FALSE(eventually(is_written, kShort));
  words_[0] = 4;
  EXPECT_FALSE(eventually(is_written, kShort));
  words_[0] = 5;
  EXPECT_TRUE(eventually(is_written));
}

class StreamTest : public CudaTest {};

TEST_F(StreamTest, AHandleIsUsedAgainAndAnIdIsNot) {
  const Stream first = waitingStream();
  unsigned long long id = 0, other = 0;
  ASSERT_EQ(driver().streamId(first, &id), kSuccess);
  ASSERT_EQ(driver().writeValue64(first, words_.at(1), 1, 0), kSuccess);
  ASSERT_EQ(driver().destroyStream(first), kSuccess);
  EXPECT_EQ(driver().queryStream(first), kInvalidHandle);
  const Stream second = makeStream();
  ASSERT_EQ(driver().streamId(second, &other), kSuccess);
  EXPECT_EQ(first, second);
  EXPECT_NE(id, other);
  EXPECT_EQ(driver().queryStream(second), kSuccess);
  open();  // what the old one was given goes on
  EXPECT_TRUE(eventually([&] { return words_[1] == 1; }));
}

TEST_F(StreamTest, TheLegacyStreamWaitsForBlockingOnesAndNoOthers) {
  Stream blocking = nullptr;
  ASSERT_EQ(driver().createStream(&blocking, 0), kSuccess);
  const Stream other = waitingStream();
  ASSERT_EQ(driver().writeValue64(nullptr, words_.at(1), 1, 0), kSuccess);
  EXPECT_TRUE(eventually([&] { return words_[1] == 1; }));
  ASSERT_EQ(driver().waitValue64(blocking, words_.at(0), 1, kGreaterOrEqual), kSuccess);
  ASSERT_EQ(driver().writeValue64(nullptr, words_.at(1), 2, 0), kSuccess);
  EXPECT_FALSE(eventually([&] { return words_[1] == 2; }, kShort));
  open();
  EXPECT_TRUE(eventually([&] { return words_[1] == 2; }));
  EXPECT_TRUE(drains("the other stream", other));
}

TEST_F(StreamTest, EachThreadHasItsOwnDefaultStream) {
  const auto id_of = [] {
    unsigned long long id = 0;
    useDevice();
    EXPECT_EQ(driver().streamId(reinterpret_cast<Stream>(2), &id), kSuccess);
    return id;
  };
  const unsigned long long ours = id_of();
  unsigned long long theirs = 0;
  std::thread([&] { theirs = id_of(); }).join();
  EXPECT_NE(ours, theirs);
}

TEST_F(StreamTest, AnEventIsOverWhenWhatIsBeforeItIs) {
  Event event = nullptr;
  ASSERT_EQ(driver().createEvent(&event, 2), kSuccess);
  EXPECT_EQ(driver().queryEvent(event), kSuccess);
  const Stream stream = waitingStream(), other = makeStream();
  ASSERT_EQ(driver().recordEvent(event, stream), kSuccess);
  ASSERT_EQ(driver().waitEvent(other, event, 0), kSuccess);
  ASSERT_EQ(driver().writeValue64(other, words_.at(1), 1, 0), kSuccess);
  EXPECT_EQ(driver().queryEvent(event), kNotReady);
  EXPECT_FALSE(eventually([&] { return words_[1] == 1; }, kShort));
  open();
  EXPECT_EQ(driver().synchronizeEvent(event), kSuccess);
  EXPECT_TRUE(eventually([&] { return words_[1] == 1; }));
  EXPECT_EQ(driver().destroyEvent(event), kSuccess);
  EXPECT_EQ(driver().destroyEvent(event), kInvalidHandle);
}

TEST_F(StreamTest, NoCallOfCudaInAHostFunction) {
  struct Seen {
    std::atomic<Result> result{kSuccess};
    std::atomic<bool> is_over{false};
  } seen;
  const auto function = [](void* data) {
    Context context = nullptr;
    static_cast<Seen*>(data)->result = driver().getContext(&context);
    static_cast<Seen*>(data)->is_over = true;
  };
  ASSERT_EQ(driver().launchHost(makeStream(), function, &seen), kSuccess);
  EXPECT_TRUE(eventually([&] { return seen.is_over.load(); }));
  EXPECT_EQ(seen.result, kNotPermitted);
}

}  // namespace
}  // namespace gpu
