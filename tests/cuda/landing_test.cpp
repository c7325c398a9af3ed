// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Receives into memory of a device, and sends from it to the own worker: every way that the loop
// copies by itself.

#include <cstring>

#include <ucxx/exception.h>

#include "core/met.h"
#include "cuda/device_memory.h"

namespace ucxx::cuda::test {
namespace {

using core::test::bytes;
using core::test::Met;
using core::test::Requests;

constexpr Tag kTag{0x1a9d};

/// How the endpoint leads to its peer.
enum class Road { Self, Local, Ucx };
std::string nameOf(Road road) {
  const char* const names[] = {"Self", "Local", "Ucx"};
  return names[static_cast<int>(road)];
}

/// A worker that talks to itself, or two.
struct Ends {
  explicit Ends(Road road) {
    gpu::useDevice();
    if (road == Road::Self) {
      sender = receiver = core::test::workerWith("auto");
      there = sender->createEndpointFromWorkerAddress(sender->getAddress());
      back = there;
      return;
    }
    const char* const local = road == Road::Local ? "auto" : "off";
    met = std::make_unique<Met>(local, local, false);
    EXPECT_TRUE(met->talks());
    sender = met->left;
    receiver = met->right;
    there = met->there;
    back = met->back;
  }
  bool wait(const Requests& requests) const {
    return compat::ended({sender, receiver}, requests);
  }
  template <class Done>
  bool until(Done done) const {
    return compat::until({sender, receiver}, done);
  }

  std::unique_ptr<Met> met;
  std::shared_ptr<Worker> sender, receiver;
  std::shared_ptr<Endpoint> there, back;
};

void expectOk(const Requests& requests) {
  for (const auto& request : requests) EXPECT_NO_THROW(request->checkError());
}

class LandingTest : public testing::TestWithParam<std::tuple<Road, std::size_t>> {
 protected:
  std::size_t size() const { return std::get<1>(GetParam()); }
  Ends ends_{std::get<0>(GetParam())};
};

TEST_P(LandingTest, ATagReceiveThatWaits) {
  const auto sent = bytes(size());
  const DeviceMemory place(size() + 8);
  const auto receive = ends_.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull);
  const auto send = ends_.there->tagSend(sent.data(), sent.size(), kTag);
  ASSERT_TRUE(ends_.wait({send, receive}));
  expectOk({send, receive});
  EXPECT_EQ(receive->getReceivedLength(), size());
  EXPECT_EQ(DeviceMemory::contentOf(place.data(), size()), sent);
}

TEST_P(LandingTest, ATagReceiveThatComesLate) {
  const auto sent = bytes(size());
  const DeviceMemory place(size());
  const auto send = ends_.there->tagSend(sent.data(), sent.size(), kTag);
  const auto end = compat::Clock::now() + std::chrono::milliseconds(10);
  ASSERT_TRUE(ends_.until([&] { return compat::Clock::now() > end; }));
  const auto receive = ends_.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull);
  ASSERT_TRUE(ends_.wait({send, receive}));
  expectOk({send, receive});
  EXPECT_EQ(place.content(), sent);
}

TEST_P(LandingTest, BlocksOfBothSorts) {
  const auto sent = bytes(size());
  const std::size_t third = size() / 3, rest = size() - 2 * third;
  const DeviceMemory first(third), last(rest);
  std::vector<std::byte> middle(third);
  const auto receive = ends_.back->tagRecv(
      {{first.data(), third}, {middle.data(), third}, {last.data(), rest}}, kTag, TagMaskFull);
  const auto send = ends_.there->tagSend(sent.data(), sent.size(), kTag);
  ASSERT_TRUE(ends_.wait({send, receive}));
  expectOk({send, receive});
  auto came = first.content();
  came.insert(came.end(), middle.begin(), middle.end());
  const auto behind = last.content();
  came.insert(came.end(), behind.begin(), behind.end());
  EXPECT_EQ(came, sent);
}

TEST_P(LandingTest, AStreamInParts) {
  if (size() < 2) return;
  const auto sent = bytes(size());
  const std::size_t half = size() / 2;
  const DeviceMemory first(half + 1), last(size() - half - 1 == 0 ? 1 : size() - half - 1);
  Requests requests{ends_.back->streamRecv(first.data(), half + 1, false)};
  if (size() - half - 1 != 0)
    requests.push_back(ends_.back->streamRecv(last.data(), size() - half - 1, false));
  requests.push_back(ends_.there->streamSend(sent.data(), half, false));
  requests.push_back(ends_.there->streamSend(sent.data() + half, size() - half, false));
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  auto came = first.content();
  if (size() - half - 1 != 0) {
    const auto behind = last.content();
    came.insert(came.end(), behind.begin(), behind.end());
  }
  EXPECT_EQ(came, sent);
}

TEST_P(LandingTest, WhatIsTooLongWritesNothing) {
  if (size() == 0) return;
  const auto sent = bytes(size()), before = std::vector<std::byte>(size(), std::byte{7});
  const DeviceMemory place(before);
  const auto receive = ends_.back->tagRecv(place.data(), size() - 1, kTag, TagMaskFull);
  const auto send = ends_.there->tagSend(sent.data(), sent.size(), kTag);
  ASSERT_TRUE(ends_.wait({send, receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
  EXPECT_EQ(place.content(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, LandingTest,
    testing::Combine(testing::Values(Road::Self, Road::Local, Road::Ucx),
                     testing::Values(0, 1, 8, 1000, 50'000, 300'000, 1 << 20, (5 << 20) + 3)),
    [](const auto& info) {
      return nameOf(std::get<0>(info.param)) + std::to_string(std::get<1>(info.param));
    });

/// From and to memory of the host and of a device, in one worker.
class OwnWorkerTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t size() const { return GetParam(); }
  Ends ends_{Road::Self};
};

TEST_P(OwnWorkerTest, TagsFromADevice) {
  const auto content = bytes(size());
  const DeviceMemory source(content), place(size());
  std::vector<std::byte> host(size());
  for (const bool is_late : {false, true}) {
    Requests requests;
    const auto receive = [&] {
      requests.push_back(ends_.back->tagRecv(place.data(), size(), kTag, TagMaskFull));
      requests.push_back(ends_.back->tagRecv(host.data(), size(), kTag, TagMaskFull));
    };
    if (!is_late) receive();
    for (int i = 0; i < 2; ++i)
      requests.push_back(ends_.there->tagSend(source.data(), size(), kTag));
    if (is_late) receive();
    ASSERT_TRUE(ends_.wait(requests));
    expectOk(requests);
    EXPECT_EQ(place.content(), content);
    EXPECT_EQ(host, content);
  }
}

TEST_P(OwnWorkerTest, StreamsFromADevice) {
  if (size() == 0) return;
  const auto content = bytes(size());
  const DeviceMemory source(content), place(2 * size());
  std::vector<std::byte> host(size() + 1), rest(2 * size() - 1);
  Requests requests{ends_.there->streamSend(source.data(), size(), false),
                    ends_.there->streamSend(content.data(), size(), false),
                    ends_.back->streamRecv(place.data(), 2 * size(), false)};
  ASSERT_TRUE(ends_.wait(requests));
  auto twice = content;
  twice.insert(twice.end(), content.begin(), content.end());
  EXPECT_EQ(place.content(), twice);
  // In parts that are none of the sends'.
  requests = {ends_.back->streamRecv(host.data(), host.size(), false),
              ends_.back->streamRecv(rest.data(), rest.size(), false)};
  for (int i = 0; i < 3; ++i)
    requests.push_back(ends_.there->streamSend(source.data(), size(), false));
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  EXPECT_EQ(std::memcmp(host.data(), content.data(), size()), 0);
  EXPECT_EQ(host.back(), content.front());
  EXPECT_EQ(std::memcmp(rest.data() + size() - 1, content.data(), size()), 0);
}

TEST_P(OwnWorkerTest, ActiveMessagesFromADevice) {
  ends_.receiver->registerAmAllocator(
      UCS_MEMORY_TYPE_CUDA, [](std::size_t size) { return std::make_shared<DeviceBuffer>(size); });
  const auto content = bytes(size());
  const DeviceMemory source(content);
  AmSendParams blocks;
  blocks.memoryType = UCS_MEMORY_TYPE_CUDA;
  blocks.datatype = UCP_DATATYPE_IOV;
  const std::size_t half = size() / 2;
  auto* const first = static_cast<std::byte*>(source.data());
  const Requests sends{
      ends_.there->amSend(source.data(), size(), UCS_MEMORY_TYPE_CUDA),
      ends_.there->amSend({{first, half}, {first + half, size() - half}}, blocks)};
  const Requests receives{ends_.back->amRecv(), ends_.back->amRecv()};
  ASSERT_TRUE(ends_.wait(sends));
  ASSERT_TRUE(ends_.wait(receives));
  expectOk(sends);
  for (const auto& receive : receives) {
    ASSERT_NO_THROW(receive->checkError());
    const auto buffer = receive->getRecvBuffer();
    if (size() == 0) continue;
    EXPECT_EQ(buffer->getType(), BufferType::CCCL);
    EXPECT_EQ(DeviceMemory::contentOf(buffer->data(), size()), content);
  }
}

TEST_P(OwnWorkerTest, FramesOfBothSorts) {
  ends_.receiver->registerAmAllocator(
      UCS_MEMORY_TYPE_CUDA, [](std::size_t size) { return std::make_shared<DeviceBuffer>(size); });
  const auto content = bytes(size());
  const DeviceMemory source(content);
  const Requests requests{
      ends_.there->tagMultiSend({content.data(), source.data(), content.data()},
                                {size(), size(), size()}, {0, 1, 0}, kTag, false),
      ends_.back->tagMultiRecv(kTag, TagMaskFull, false)};
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  const auto& frames = static_cast<RequestTagMulti&>(*requests[1])._bufferRequests;
  ASSERT_EQ(frames.size(), 3u);
  for (std::size_t i = 0; i < 3 && size() != 0; ++i) {
    Buffer& buffer = *frames[i]->buffer;
    ASSERT_EQ(buffer.getType(), i == 1 ? BufferType::CCCL : BufferType::Host);
    const auto* const bytes = static_cast<const std::byte*>(buffer.data());
    EXPECT_EQ(i == 1 ? DeviceMemory::contentOf(buffer.data(), size())
                     : std::vector<std::byte>(bytes, bytes + size()),
              content);
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, OwnWorkerTest,
                         testing::Values(0, 1, 8, 8192, 50'000, 1 << 20, (5 << 20) + 3),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace ucxx::cuda::test
