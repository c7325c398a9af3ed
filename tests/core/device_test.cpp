// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What a program says lies in the memory of a device is staged by its sender, beside the other
// messages of the local channel. Here that memory is the host's, as the driver says, too.

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "core/met.h"

namespace ucxx::core::test {
namespace {

WorkerOptions deviceOptions() {
  WorkerOptions options;
  options.cuda_buffer_type = BufferType::Host;
  return options;
}

AmSendParams onDevice(std::size_t number = 0) {
  AmSendParams params;
  params.memoryType = UCS_MEMORY_TYPE_CUDA;
  const auto* text = reinterpret_cast<const std::byte*>(&number);
  params.userHeader.assign(text, text + sizeof number);
  return params;
}

AmSendParams onHost(std::size_t number) {
  AmSendParams params = onDevice(number);
  params.memoryType = UCS_MEMORY_TYPE_HOST;
  return params;
}

std::size_t numberOf(Request& received) {
  std::size_t number = 0;
  const std::string& header = received.getRecvHeader();
  EXPECT_EQ(header.size(), sizeof number);
  std::memcpy(&number, header.data(), std::min(header.size(), sizeof number));
  return number;
}

bool holds(const std::shared_ptr<Buffer>& buffer, const std::vector<std::byte>& expected) {
  return buffer != nullptr && buffer->getSize() == expected.size() &&
         (expected.empty() || std::memcmp(buffer->data(), expected.data(), expected.size()) == 0);
}

constexpr std::size_t kSizes[] = {0, 1, 1000, 16 << 10, 50'000, 300'000, kAnnouncedBytes};

class DeviceTest : public testing::TestWithParam<Route> {
 protected:
  Ends ends{GetParam(), Mode::Caller, deviceOptions()};
};

TEST_P(DeviceTest, ActiveMessagesOfAnySize) {
  std::size_t allocated = 0;
  ends.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_CUDA, [&](std::size_t size) {
    ++allocated;
    return allocateBuffer(BufferType::Host, size);
  });
  for (const std::size_t size : kSizes) {
    const auto sent = bytes(size);
    const auto received = ends.right->amRecv();
    const auto before = allocated;
    ASSERT_TRUE(ends.ended({ends.left->amSend(sent.data(), size, onDevice()), received})) << size;
    ASSERT_EQ(received->getStatus(), UCS_OK) << size;
    EXPECT_TRUE(holds(received->getRecvBuffer(), sent)) << size;
    EXPECT_EQ(allocated - before, size != 0 ? 1u : 0u) << size;
  }
}

TEST_P(DeviceTest, ActiveMessagesInBlocks) {
  AmSendParams params = onDevice();
  params.datatype = UCP_DATATYPE_IOV;
  for (const std::size_t size : kSizes) {
    auto sent = bytes(size);
    const std::size_t part = size / 3;
    const std::vector<ucp_dt_iov_t> blocks{
        {sent.data(), part}, {sent.data() + part, part}, {sent.data() + 2 * part, size - 2 * part}};
    const auto received = ends.right->amRecv();
    ASSERT_TRUE(ends.ended({ends.left->amSend(blocks, params), received})) << size;
    ASSERT_EQ(received->getStatus(), UCS_OK) << size;
    EXPECT_TRUE(holds(received->getRecvBuffer(), sent)) << size;
  }
}

TEST_P(DeviceTest, FramesOfBothKinds) {
  std::vector<std::vector<std::byte>> frames;
  std::vector<const void*> buffers;
  std::vector<std::size_t> sizes;
  std::vector<int> is_cuda;
  for (const std::size_t size : kSizes) {
    for (const int cuda : {0, 1}) {
      frames.push_back(bytes(size, static_cast<unsigned>(frames.size())));
      buffers.push_back(frames.back().data());
      sizes.push_back(size);
      is_cuda.push_back(cuda);
    }
  }
  for (const bool expected : {true, false}) {
    auto received = expected ? ends.right->tagMultiRecv(Tag{3}, TagMask{0}) : nullptr;
    const auto sent = ends.left->tagMultiSend(buffers, sizes, is_cuda, Tag{3});
    if (!expected) {
      ends.left_worker->progress();
      received = ends.right->tagMultiRecv(Tag{3}, TagMaskFull);
    }
    ASSERT_TRUE(ends.ended({sent, received}));
    ASSERT_EQ(received->getStatus(), UCS_OK);
    const auto& parts = dynamic_cast<RequestTagMulti&>(*received)._bufferRequests;
    ASSERT_EQ(parts.size(), frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i)
      EXPECT_TRUE(holds(parts[i]->buffer, frames[i])) << i;
  }
}

TEST_P(DeviceTest, LargeFramesComeInMemoryOfTheAllocators) {
  std::vector<std::size_t> host, device;
  ends.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [&](std::size_t size) {
    host.push_back(size);
    return allocateBuffer(BufferType::Host, size);
  });
  ends.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_CUDA, [&](std::size_t size) {
    device.push_back(size);
    return size == 3 ? nullptr : allocateBuffer(BufferType::Host, size);
  });
  const auto sent = bytes(300'000);
  const auto transfer = [&](std::vector<std::size_t> sizes, const std::vector<int>& is_cuda) {
    const std::vector<const void*> buffers(sizes.size(), sent.data());
    auto received = ends.right->tagMultiRecv(Tag{3}, TagMaskFull);
    const auto send = ends.left->tagMultiSend(buffers, sizes, is_cuda, Tag{3});
    EXPECT_TRUE(ends.ended({send, received}));
    return received;
  };
  const auto received = transfer({100, 300'000, 200, 200'000}, {0, 0, 1, 1});
  ASSERT_EQ(received->getStatus(), UCS_OK);
  EXPECT_EQ(host, std::vector<std::size_t>{300'000});
  EXPECT_EQ(device, (std::vector<std::size_t>{200, 200'000}));
  for (const auto& part : dynamic_cast<RequestTagMulti&>(*received)._bufferRequests)
    EXPECT_EQ(std::memcmp(part->buffer->data(), sent.data(), part->buffer->getSize()), 0);
  EXPECT_EQ(transfer({3}, {1})->getStatus(), UCS_ERR_NO_MEMORY);
  EXPECT_EQ(transfer({4}, {1})->getStatus(), UCS_OK);
}

/// Every third is on a device, of any protocol; both sides begin at once.
TEST_P(DeviceTest, OrderIsKeptBothWays) {
  constexpr std::size_t kMessages = 200;
  const auto sent = bytes(300'000);
  Requests requests, at_left, at_right;
  const auto size_of = [](std::size_t i) { return std::size_t{kSizes[i % 6]} + i; };
  for (std::size_t i = 0; i < kMessages; ++i) {
    for (const auto& end : {ends.left, ends.right})
      requests.push_back(end->amSend(sent.data(), std::min(size_of(i), sent.size()),
                                     i % 3 == 0 ? onDevice(i) : onHost(i)));
    at_left.push_back(ends.left->amRecv());
    at_right.push_back(ends.right->amRecv());
  }
  for (const auto& received : {at_left, at_right})
    requests.insert(requests.end(), received.begin(), received.end());
  ASSERT_TRUE(ends.ended(requests))
      << ends.left_worker->describe() << ends.right_worker->describe();
  for (const auto& received : {at_left, at_right}) {
    for (std::size_t i = 0; i < kMessages; ++i) {
      ASSERT_EQ(received[i]->getStatus(), UCS_OK) << i;
      EXPECT_EQ(numberOf(*received[i]), i);
    }
  }
}

/// What was sent before is there when a later message is, be they of different kinds.
TEST_P(DeviceTest, TagsStayBehindDeviceMessages) {
  for (int i = 0; i < 20; ++i) {
    const auto sent = bytes(i % 2 == 0 ? 100 : 300'000);
    int in = 0;
    const Requests first{ends.left->amSend(sent.data(), sent.size(), onDevice())};
    ASSERT_TRUE(ends.ended({ends.left->tagSend(&i, sizeof i, Tag{1}),
                            ends.right->tagRecv(&in, sizeof in, Tag{1}, TagMask{0})}));
    EXPECT_EQ(in, i);
    EXPECT_TRUE(ends.right_worker->amProbe(ends.right->getHandle()));
    ASSERT_TRUE(ends.ended({first.front(), ends.right->amRecv()}));
  }
}

TEST_P(DeviceTest, MultiMessagesOfOneTagKeepTheirOrder) {
  constexpr std::size_t kMessages = 60;
  const auto sent = bytes(40'000);
  Requests requests, received;
  for (std::size_t i = 0; i < kMessages; ++i) {
    const std::vector<const void*> buffers{sent.data(), sent.data()};
    const std::vector<std::size_t> sizes{100 + i, 20'000 + i};
    requests.push_back(
        ends.left->tagMultiSend(buffers, sizes, {0, static_cast<int>(i % 2)}, Tag{5}));
    received.push_back(ends.right->tagMultiRecv(Tag{5}, i % 4 == 0 ? TagMask{0} : TagMaskFull));
  }
  requests.insert(requests.end(), received.begin(), received.end());
  ASSERT_TRUE(ends.ended(requests));
  for (std::size_t i = 0; i < kMessages; ++i)
    EXPECT_EQ(received[i]->getReceivedLength(), 20'100 + 2 * i);
}

TEST_P(DeviceTest, CloseComesBehindWhatWasSent) {
  const auto sent = bytes(300'000);
  Requests received{ends.right->amRecv(), ends.right->amRecv()};
  const Requests requests{ends.left->amSend(sent.data(), 1000, onDevice()),
                          ends.left->amSend(sent.data(), sent.size(), onDevice()),
                          ends.left->close()};
  ASSERT_TRUE(ends.ended(requests));
  ASSERT_TRUE(ends.ended(received));
  for (const Requests& all : {requests, received}) {
    for (const auto& request : all) EXPECT_EQ(request->getStatus(), UCS_OK);
  }
  EXPECT_TRUE(ends.until([&] { return !ends.right->isAlive(); }));
}

TEST_P(DeviceTest, FlushPushesBothWaysOut) {
  const auto sent = bytes(1000);
  for (int i = 0; i < 3; ++i) {
    const Requests received{ends.right->amRecv(), ends.right->amRecv()};
    const Requests requests{ends.left->amSend(sent.data(), sent.size(), onHost(0)),
                            ends.left->amSend(sent.data(), sent.size(), onDevice()),
                            ends.left->flush(), ends.left_worker->flush()};
    ASSERT_TRUE(ends.ended(requests));
    for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
    ASSERT_TRUE(ends.ended(received));
  }
}

TEST_P(DeviceTest, WorkerMayGoWhileOneWaits) {
  const auto sent = bytes(1000);
  const auto request = ends.left->amSend(sent.data(), sent.size(), onDevice());
  request->setParent(nullptr);
  ends.left = nullptr;
  ends.left_worker = nullptr;
  EXPECT_TRUE(request->isCompleted());
  EXPECT_TRUE(compat::until({ends.right_worker}, [&] { return !ends.right->isAlive(); }));
}

INSTANTIATE_TEST_SUITE_P(By, DeviceTest, testing::Values(Route::Listener, Route::Address),
                         [](const auto& info) { return nameOf(info.param); });

TEST(DeviceLinkTest, NeedsNoUcx) {
  Met met("auto", "auto", false);
  ASSERT_TRUE(met.talks());
  const auto sent = bytes(300'000);
  for (const std::size_t size : {std::size_t{1}, sent.size()}) {
    const auto received = met.back->amRecv();
    ASSERT_TRUE(compat::ended({met.left, met.right},
                              {met.there->amSend(sent.data(), size, onDevice()), received}));
    EXPECT_EQ(received->getStatus(), UCS_OK);
  }
  for (const auto& worker : {met.left, met.right})
    EXPECT_TRUE(says(worker, "UCX not started")) << worker->describe();
  EXPECT_TRUE(met.isLocal());
  EXPECT_TRUE(met.talks());
}

class DeviceModeTest : public testing::TestWithParam<Mode> {};

TEST_P(DeviceModeTest, ThreadsSendBothKinds) {
  constexpr std::size_t kMessages = 100;
  Ends ends(Route::Address, GetParam(), deviceOptions());
  const auto sent = bytes(40'000);
  Requests requests[4];
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      const auto& end = k % 2 == 0 ? ends.left : ends.right;
      for (std::size_t i = 0; i < kMessages; ++i) {
        requests[k].push_back(end->amRecv());
        requests[k].push_back(end->amSend(sent.data(), i % 2 == 0 ? sent.size() : 100,
                                          k < 2 ? onDevice(i) : onHost(i)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Requests& some : requests) {
    ASSERT_TRUE(ends.ended(some)) << ends.left_worker->describe() << ends.right_worker->describe();
    for (const auto& request : some) EXPECT_EQ(request->getStatus(), UCS_OK);
  }
}

INSTANTIATE_TEST_SUITE_P(By, DeviceModeTest, testing::ValuesIn(kModes),
                         [](const auto& info) { return nameOf(info.param); });

std::shared_ptr<Worker> brokenWorker() { return workerWith("auto", {{"TLS", "nonsense"}}); }

/// Sends from a device arrive.
void expectCarried(Met& met) {
  ASSERT_TRUE(met.talks());
  ASSERT_TRUE(met.isLocal());
  met.right->registerAmAllocator(UCS_MEMORY_TYPE_CUDA, [](std::size_t size) {
    return allocateBuffer(BufferType::Host, size);
  });
  const auto sent = bytes(300'000);
  for (const std::size_t size : {std::size_t{1000}, sent.size()}) {
    const Requests received{met.back->amRecv(), met.back->amRecv(),
                            met.back->tagMultiRecv(Tag{1}, TagMaskFull)};
    Requests all{met.there->amSend(sent.data(), size, onDevice(6)),
                 met.there->amSend(sent.data(), size, onHost(7)),
                 met.there->tagMultiSend({sent.data()}, {size}, std::vector<int>{1}, Tag{1})};
    all.insert(all.end(), received.begin(), received.end());
    ASSERT_TRUE(compat::ended({met.left, met.right}, all));
    for (const auto& request : all) EXPECT_EQ(request->getStatus(), UCS_OK);
    const std::vector<std::byte> content(sent.begin(), sent.begin() + static_cast<long>(size));
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(numberOf(*received[i]), 6 + i);
      EXPECT_TRUE(holds(received[i]->getRecvBuffer(), content));
    }
    const auto& frames = dynamic_cast<RequestTagMulti&>(*received[2])._bufferRequests;
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_TRUE(holds(frames.front()->buffer, content));
  }
  EXPECT_TRUE(met.talks());
}

TEST(DeviceWithoutUcxTest, ThePeerHasNone) {
  Met met("auto", "only", false);
  expectCarried(met);
}

TEST(DeviceWithoutUcxTest, NeitherHas) {
  Met met("only", "only", true);
  expectCarried(met);
}

TEST(DeviceWithoutUcxTest, ItDoesNotStartAtThePeer) {
  Met met(workerWith("auto"), brokenWorker(), false);
  expectCarried(met);
}

TEST(DeviceWithoutUcxTest, ItDoesNotStartHere) {
  Met met(brokenWorker(), workerWith("auto"), false);
  expectCarried(met);
}

/// Whose end posts the next one: each arrives.
TEST(DeviceCallbackTest, MaySendTheNextOne) {
  Met met("auto", "auto", false);
  ASSERT_TRUE(met.talks());
  const auto sent = bytes(300'000);
  std::size_t ended = 0;
  std::function<void()> send = [&] {
    (void)met.there->amSend(sent.data(), sent.size(), onDevice(ended), false,
                            [&](ucs_status_t status, const std::shared_ptr<void>&) {
                              EXPECT_EQ(status, UCS_OK);
                              if (++ended < 4) send();
                            });
  };
  send();
  for (std::size_t i = 0; i < 4; ++i) {
    const auto received = met.back->amRecv();
    ASSERT_TRUE(compat::ended({met.left, met.right}, {received}));
    EXPECT_EQ(numberOf(*received), i);
  }
  EXPECT_TRUE(compat::until({met.left, met.right}, [&] { return ended == 4; }));
}

/// The peer, which does not move, has not taken it.
TEST(DeviceWaitTest, CancelLetsOthersGoOn) {
  Met met("auto", "auto", false);
  ASSERT_TRUE(met.talks());
  ASSERT_TRUE(met.isLocal());
  const auto sent = bytes(1000);
  const auto device = met.there->amSend(sent.data(), sent.size(), onDevice());
  const auto host = met.there->amSend(sent.data(), sent.size(), onHost(7));
  ASSERT_TRUE(compat::ended({met.left}, {host}));
  EXPECT_EQ(host->getStatus(), UCS_OK);
  EXPECT_FALSE(device->isCompleted());
  device->cancel();
  ASSERT_TRUE(compat::ended({met.left}, {device}));
  EXPECT_EQ(device->getStatus(), UCS_ERR_CANCELED);
  const auto received = met.back->amRecv();
  ASSERT_TRUE(compat::ended({met.left, met.right}, {received}));
  EXPECT_EQ(numberOf(*received), 7u);
  const auto again = met.there->amSend(sent.data(), sent.size(), onDevice());
  ASSERT_TRUE(compat::ended({met.left, met.right}, {again, met.back->amRecv()}));
  EXPECT_EQ(again->getStatus(), UCS_OK);
}

/// An endpoint that closes while it waits takes only its own sends along.
TEST(DeviceWaitTest, OtherEndpointsGoOn) {
  Met met("auto", "auto", false);
  ASSERT_TRUE(met.talks());
  ASSERT_TRUE(met.isLocal());
  auto other = met.left->createEndpointFromWorkerAddress(met.right->getAddress());
  const auto sent = bytes(1000);
  const auto closed = other->amSend(sent.data(), sent.size(), onDevice());
  const auto kept = met.there->amSend(sent.data(), sent.size(), onDevice(8));
  other->closeBlocking();
  EXPECT_TRUE(closed->isCompleted());
  EXPECT_FALSE(kept->isCompleted());
  const auto received = met.back->amRecv();
  ASSERT_TRUE(compat::ended({met.left, met.right}, {kept, received}));
  EXPECT_EQ(kept->getStatus(), UCS_OK);
  EXPECT_EQ(numberOf(*received), 8u);
}

}  // namespace
}  // namespace ucxx::core::test
