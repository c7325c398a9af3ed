// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Sends whose buffer lies in the memory of a device, as the CUDA driver says: here one of the
// test's own (tests/cuda/driver).

#include <cstring>

#include "core/met.h"
#include "cuda/driver/stand_in.h"

namespace ucxx::core::test {
namespace {

using stand_in::takeForDeviceMemory;
using stand_in::takeForManagedMemory;

constexpr Tag kDeviceTag{3};

class DevicePointerTest : public testing::TestWithParam<std::size_t> {
 protected:
  /// A message for `met` that the driver takes for a device's, until the next one.
  std::vector<std::byte> onDevice() const {
    auto content = bytes(GetParam());
    takeForDeviceMemory(content.data(), content.size());
    return content;
  }
  /// Into memory of the host nothing goes by UCX.
  void expectStaged() const {
    EXPECT_TRUE(met_.isLocal());
    for (const auto& worker : {met_.left, met_.right})
      EXPECT_FALSE(says(worker, "device memory by UCX")) << worker->describe();
  }

  Met met_{"auto", "auto", false};
};

TEST_P(DevicePointerTest, TagSendsComeInTheirTurn) {
  ASSERT_TRUE(met_.talks());
  const auto content = onDevice();
  const auto host = bytes(8);
  std::vector<std::vector<std::byte>> came(4, std::vector<std::byte>(content.size() + 8));
  Requests requests;
  for (auto& each : came)
    requests.push_back(met_.right->tagRecv(each.data(), each.size(), kDeviceTag, TagMaskFull));
  for (const auto* sent : {&host, &content, &host, &content})
    requests.push_back(met_.there->tagSend(sent->data(), sent->size(), kDeviceTag));
  ASSERT_TRUE(compat::ended({met_.left, met_.right}, requests));
  for (std::size_t i = 0; i < came.size(); ++i) {
    const auto& sent = i % 2 == 0 ? host : content;
    EXPECT_EQ(requests[i]->getReceivedLength(), sent.size()) << i;
    EXPECT_TRUE(std::equal(sent.begin(), sent.end(), came[i].begin())) << i;
  }
  expectStaged();
}

TEST_P(DevicePointerTest, StreamsComeInTheirTurn) {
  const auto content = onDevice();
  const auto host = bytes(8);
  std::vector<std::byte> expected(host);
  expected.insert(expected.end(), content.begin(), content.end());
  expected.insert(expected.end(), host.begin(), host.end());
  std::vector<std::byte> came(expected.size());
  ASSERT_TRUE(met_.talks());
  const Requests requests{met_.there->streamSend(host.data(), host.size(), false),
                          met_.there->streamSend(content.data(), content.size(), false),
                          met_.there->streamSend(host.data(), host.size(), false),
                          met_.back->streamRecv(came.data(), came.size(), false)};
  ASSERT_TRUE(compat::ended({met_.left, met_.right}, requests));
  EXPECT_EQ(came, expected);
  expectStaged();
}

INSTANTIATE_TEST_SUITE_P(Bytes, DevicePointerTest, testing::Values(1, 8, 1000, 50'000, 8 << 20),
                         testing::PrintToStringParamName());

TEST(DevicePointerOnlyTest, GoesWithoutUcx) {
  Met met("only", "only", false);
  ASSERT_TRUE(met.talks());
  const auto content = bytes(100);
  takeForDeviceMemory(content.data(), content.size());
  std::vector<std::byte> tagged(100), streamed(100);
  const Requests requests{met.there->tagSend(content.data(), 100, kDeviceTag),
                          met.there->streamSend(content.data(), 100, false),
                          met.right->tagRecv(tagged.data(), 100, kDeviceTag, TagMaskFull),
                          met.back->streamRecv(streamed.data(), 100, false)};
  ASSERT_TRUE(compat::ended({met.left, met.right}, requests));
  EXPECT_TRUE(tagged == content && streamed == content);
  for (const auto& worker : {met.left, met.right})
    EXPECT_TRUE(says(worker, "UCX not started")) << worker->describe();
  EXPECT_TRUE(met.talks());
}

/// From the own worker, by each kind of endpoint, and from another.
TEST(DevicePointerOnlyTest, ReceivesAndMessagesToTheOwnWorkerMayBeOnADevice) {
  Met met("auto", "auto", false);
  auto own = met.left->createEndpointFromWorkerAddress(met.left->getAddress());
  met.left->registerAmAllocator(UCS_MEMORY_TYPE_CUDA, [](std::size_t size) {
    return allocateBuffer(BufferType::Host, size);
  });
  const auto sent = bytes(100), host = bytes(100, 2);
  std::vector<std::byte> memory(sent);
  memory.resize(300);
  takeForDeviceMemory(memory.data(), memory.size());
  std::byte *const from = memory.data(), *const tagged = from + 100, *const streamed = from + 200;
  for (const auto& [end, worker] : {std::pair{own, met.left}, {met.there, met.right}}) {
    std::fill(tagged, from + 300, std::byte{});
    const auto& back = end == own ? own : met.back;
    const Requests requests{
        end->tagSend(from, 100, kDeviceTag), end->streamSend(host.data(), 50, false),
        end->streamSend(from, 50, false), worker->tagRecv(tagged, 100, kDeviceTag, TagMaskFull),
        back->streamRecv(streamed, 100, false)};
    ASSERT_TRUE(compat::ended({met.left, met.right}, requests));
    for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
    EXPECT_TRUE(std::equal(sent.begin(), sent.end(), tagged));
    EXPECT_TRUE(std::equal(host.begin(), host.begin() + 50, streamed));
    EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + 50, streamed + 50));
  }
  const Requests messages{own->amSend(from, 100, UCS_MEMORY_TYPE_CUDA),
                          own->tagMultiSend({from}, {100}, {1}, kDeviceTag, false), own->amRecv(),
                          own->tagMultiRecv(kDeviceTag, TagMaskFull, false)};
  ASSERT_TRUE(compat::ended({met.left}, messages));
  const auto buffer = messages[2]->getRecvBuffer();
  Buffer& frame = *static_cast<RequestTagMulti&>(*messages[3])._bufferRequests.front()->buffer;
  ASSERT_TRUE(buffer != nullptr && frame.getSize() == 100);
  EXPECT_EQ(std::memcmp(buffer->data(), sent.data(), 100), 0);
  EXPECT_EQ(std::memcmp(frame.data(), sent.data(), 100), 0);
  EXPECT_TRUE(met.talks());
}

TEST(DevicePointerOnlyTest, ManagedMemoryIsTheProcessorsToo) {
  Met met("only", "only", false);
  ASSERT_TRUE(met.talks());
  auto content = bytes(100);
  takeForManagedMemory(content.data(), content.size());
  const Requests requests{met.there->tagSend(content.data(), 50, kDeviceTag),
                          met.right->tagRecv(content.data() + 50, 50, kDeviceTag, TagMaskFull)};
  EXPECT_TRUE(compat::ended({met.left, met.right}, requests));
  EXPECT_TRUE(std::equal(content.begin(), content.begin() + 50, content.begin() + 50));
}

/// How often the driver is asked about the buffers of a call.
template <class Call>
std::uint64_t queriesOf(const Call& call) {
  const std::uint64_t before = stand_in::callsOf("cuPointerGetAttributes");
  call();
  return stand_in::callsOf("cuPointerGetAttributes") - before;
}

TEST(DriverQueryTest, WhatIsNotKnownIsAskedAboutOnce) {
  Met met("auto", "auto", false);
  ASSERT_TRUE(met.talks());
  auto content = bytes(100);
  Requests requests;
  const auto post = [&](std::shared_ptr<Request> request) { requests.push_back(request); };
  EXPECT_EQ(
      queriesOf([&] { post(met.right->tagRecv(content.data(), 100, kDeviceTag, TagMaskFull)); }),
      1u);
  EXPECT_EQ(queriesOf([&] { post(met.there->tagSend(content.data(), 100, kDeviceTag)); }), 1u);
  EXPECT_TRUE(compat::ended({met.left, met.right}, requests));
}

TEST(DriverQueryTest, LibraryMemoryIsNotAskedAbout) {
  Met met("auto", "auto", false);
  ASSERT_TRUE(met.talks());
  const auto context = std::dynamic_pointer_cast<Context>(met.right->getParent());
  const auto handle = createMemoryHandle(context, 4096);
  const auto key = createRemoteKeyFromSerialized(met.there, handle->createRemoteKey()->serialize());
  auto* const registered = reinterpret_cast<std::byte*>(handle->getBaseAddress());
  HostBuffer sent(1 << 20), came(1 << 20);
  Requests requests;
  const auto queries = queriesOf([&] {
    const std::size_t size = sent.getSize();
    requests = {
        met.right->tagRecv(came.data(), size, kDeviceTag, TagMaskFull),
        met.there->tagSend(sent.data(), size, kDeviceTag),
        met.back->streamRecv(came.data(), size, false),
        met.there->streamSend(sent.data(), size, false),
        met.there->amSend(registered, 4096, UCS_MEMORY_TYPE_HOST),
        met.back->amRecv(),
        met.there->tagMultiSend({registered, sent.data()}, {8, size}, {0, 0}, Tag{4}, false),
        met.back->tagMultiRecv(Tag{4}, TagMaskFull, false),
        met.there->memPut(sent.data(), 4096, key),
        met.there->memGet(came.data(), 4096, key)};
    EXPECT_TRUE(compat::ended({met.left, met.right}, requests));
  });
  EXPECT_EQ(queries, 0u);
}

}  // namespace
}  // namespace ucxx::core::test
