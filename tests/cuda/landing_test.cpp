// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Receives into memory of a device, and sends from it to the own worker: every way that the loop
// copies by itself.

#include "cuda/landing.h"

#include <cstring>
#include <optional>

#include <ucxx/exception.h>

namespace ucxx::cuda::test {
namespace {

/// From where a payload is sent.
struct Source {
  Source(bool is_on_device, const std::vector<std::byte>& content)
      : content_(content), memory_(is_on_device ? content.size() : 0) {
    if (is_on_device && !content.empty()) memory_.write(content);
    data_ = is_on_device ? memory_.data() : content_.data();
  }
  void* data() { return data_; }
  std::byte* at(std::size_t offset) { return static_cast<std::byte*>(data_) + offset; }

 private:
  std::vector<std::byte> content_;
  DeviceMemory memory_;
  void* data_;
};

struct Way {
  Road road;
  bool is_from_device;
};
std::string nameOf(const Way& way) {
  return nameOf(way.road) + (way.is_from_device ? "FromDevice" : "FromHost");
}
void PrintTo(const Way& way, std::ostream* out) { *out << nameOf(way); }

constexpr Way kWays[] = {{Road::Self, false},
                         {Road::Self, true},
                         {Road::Local, false},
                         {Road::Local, true},
                         {Road::Ucx, false}};
constexpr std::size_t kSizes[] = {0, 1, 8, 8192, 50'000, 300'000, 1 << 20, (9 << 20) + 3};

class LandingTest : public testing::TestWithParam<Way> {
 protected:
  bool isFromDevice() const { return GetParam().is_from_device; }
  std::size_t size() const { return content_.size(); }
  /// Of each size.
  template <class Body>
  void each(const Body& body) {
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(size);
      content_ = bytes(size);
      source_.emplace(isFromDevice(), content_);
      body();
      if (HasFatalFailure()) return;
    }
  }
  std::shared_ptr<Request> send(std::size_t offset, std::size_t count) {
    return ends_.there->tagSend(source_->at(offset), count, kTag);
  }
  /// Long enough for what is fetched without a receive.
  void pass() const {
    const auto end = compat::Clock::now() + std::chrono::milliseconds(10);
    ASSERT_TRUE(ends_.until([&] { return compat::Clock::now() > end; }));
  }
  void registerAllocator() const {
    ends_.receiver->registerAmAllocator(UCS_MEMORY_TYPE_CUDA, [](std::size_t bytes) {
      return std::make_shared<DeviceBuffer>(bytes);
    });
  }

  Ends ends_{GetParam().road};
  std::vector<std::byte> content_;
  std::optional<Source> source_;
};

TEST_P(LandingTest, TagsIntoADevice) {
  each([&] {
    for (const bool is_late : {false, true}) {
      const DeviceMemory place(size() + 8);
      Requests requests;
      const auto receive = [&] {
        requests.push_back(ends_.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull));
      };
      if (!is_late) receive();
      requests.push_back(send(0, size()));
      if (is_late) {
        pass();
        receive();
      }
      ASSERT_TRUE(ends_.wait(requests));
      expectOk(requests);
      EXPECT_EQ(requests[is_late ? 1 : 0]->getReceivedLength(), size());
      EXPECT_EQ(DeviceMemory::contentOf(place.data(), size()), content_);
    }
  });
}

TEST_P(LandingTest, TagsIntoTheHost) {
  each([&] {
    for (const bool is_late : {false, true}) {
      std::vector<std::byte> place(size() + 8);
      Requests requests;
      const auto receive = [&] {
        requests.push_back(ends_.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull));
      };
      if (!is_late) receive();
      requests.push_back(send(0, size()));
      if (is_late) {
        pass();
        receive();
      }
      ASSERT_TRUE(ends_.wait(requests));
      expectOk(requests);
      place.resize(size());
      EXPECT_EQ(place, content_);
    }
  });
}

TEST_P(LandingTest, ASynchronousTag) {
  each([&] {
    const DeviceMemory place(size());
    const auto send = ends_.there->tagSendSync(source_->data(), size(), kTag);
    pass();
    EXPECT_FALSE(send->isCompleted());
    const auto receive = ends_.back->tagRecv(place.data(), size(), kTag, TagMaskFull);
    ASSERT_TRUE(ends_.wait({send, receive}));
    expectOk({send, receive});
    EXPECT_EQ(place.content(), content_);
  });
}

TEST_P(LandingTest, BlocksOfBothSorts) {
  each([&] {
    const std::size_t third = size() / 3, rest = size() - 2 * third;
    const DeviceMemory first(third), last(rest);
    std::vector<std::byte> middle(third);
    const auto receive = ends_.back->tagRecv(
        {{first.data(), third}, {middle.data(), third}, {last.data(), rest}}, kTag, TagMaskFull);
    const auto sent = send(0, size());
    ASSERT_TRUE(ends_.wait({sent, receive}));
    expectOk({sent, receive});
    auto came = first.content();
    came.insert(came.end(), middle.begin(), middle.end());
    const auto behind = last.content();
    came.insert(came.end(), behind.begin(), behind.end());
    EXPECT_EQ(came, content_);
  });
}

TEST_P(LandingTest, AProbedMessage) {
  each([&] {
    const auto sent = send(0, size());
    std::shared_ptr<TagProbeInfo> probe;
    ASSERT_TRUE(ends_.until([&] {
      probe = ends_.receiver->tagProbe(kTag, TagMaskFull, true);
      return probe->isMatched();
    }));
    const DeviceMemory place(size());
    const auto receive = ends_.receiver->tagRecvWithHandle(place.data(), probe);
    ASSERT_TRUE(ends_.wait({sent, receive}));
    expectOk({sent, receive});
    EXPECT_EQ(place.content(), content_);
  });
}

TEST_P(LandingTest, WhatIsTooLongWritesNothing) {
  each([&] {
    if (size() == 0) return;  // nothing is shorter
    const auto before = std::vector<std::byte>(size(), std::byte{7});
    const DeviceMemory place(before);
    const auto receive = ends_.back->tagRecv(place.data(), size() - 1, kTag, TagMaskFull);
    const auto sent = send(0, size());
    ASSERT_TRUE(ends_.wait({sent, receive}));
    EXPECT_EQ(receive->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
    EXPECT_EQ(place.content(), before);
  });
}

/// In parts that are none of the sends'.
TEST_P(LandingTest, Streams) {
  each([&] {
    if (size() == 0) return;  // a stream moves at least one byte
    const auto receive = [&](void* place, std::size_t count) {
      return ends_.back->streamRecv(place, count, false);
    };
    const DeviceMemory first(size() + 1), last(2 * size() - 1);
    std::vector<std::byte> on_host(3 * size());
    Requests requests{receive(first.data(), first.size()), receive(last.data(), last.size()),
                      receive(on_host.data(), on_host.size())};
    for (int i = 0; i < 6; ++i)
      requests.push_back(i % 3 == 1 ? ends_.there->streamSend(content_.data(), size(), false)
                                    : ends_.there->streamSend(source_->data(), size(), false));
    ASSERT_TRUE(ends_.wait(requests));
    expectOk(requests);
    auto thrice = content_;
    for (int i = 0; i < 2; ++i) thrice.insert(thrice.end(), content_.begin(), content_.end());
    auto came = first.content();
    const auto behind = last.content();
    came.insert(came.end(), behind.begin(), behind.end());
    EXPECT_EQ(came, thrice);
    EXPECT_EQ(on_host, thrice);
  });
}

TEST_P(LandingTest, StreamsOfWhatIsThere) {
  each([&] {
    if (size() == 0) return;
    const DeviceMemory place(size() + 100);
    const auto sent = ends_.there->streamSend(source_->data(), size(), false);
    std::size_t came = 0;
    Requests requests{sent};
    while (came < size()) {
      auto* const next = static_cast<std::byte*>(place.data()) + came;
      const auto receive = ends_.back->streamRecvSome(next, place.size() - came, false);
      ASSERT_TRUE(ends_.wait({receive}));
      came += receive->getReceivedLength();
      requests.push_back(receive);
    }
    ASSERT_TRUE(ends_.wait(requests));
    expectOk(requests);
    EXPECT_EQ(came, size());
    EXPECT_EQ(DeviceMemory::contentOf(place.data(), size()), content_);
  });
}

TEST_P(LandingTest, ActiveMessages) {
  each([&] {
    registerAllocator();
    AmSendParams blocks;
    blocks.memoryType = isFromDevice() ? UCS_MEMORY_TYPE_CUDA : UCS_MEMORY_TYPE_HOST;
    blocks.datatype = UCP_DATATYPE_IOV;
    const std::size_t half = size() / 2;
    const Requests sends{
        ends_.there->amSend(source_->data(), size(), blocks.memoryType),
        ends_.there->amSend({{source_->at(0), half}, {source_->at(half), size() - half}}, blocks)};
    const Requests receives{ends_.back->amRecv(), ends_.back->amRecv()};
    ASSERT_TRUE(ends_.wait(sends));
    ASSERT_TRUE(ends_.wait(receives));
    expectOk(sends);
    for (const auto& receive : receives) {
      ASSERT_NO_THROW(receive->checkError());
      const auto buffer = receive->getRecvBuffer();
      ASSERT_EQ(buffer->getType() == BufferType::CCCL, isFromDevice() && size() != 0);
      const auto* const first = static_cast<const std::byte*>(buffer->data());
      EXPECT_EQ(buffer->getType() == BufferType::CCCL
                    ? DeviceMemory::contentOf(first, size())
                    : std::vector<std::byte>(first, first + size()),
                content_);
    }
  });
}

TEST_P(LandingTest, FramesOfBothSorts) {
  each([&] {
    registerAllocator();
    const Requests requests{
        ends_.there->tagMultiSend({content_.data(), source_->data(), content_.data()},
                                  {size(), size(), size()}, {0, isFromDevice() ? 1 : 0, 0}, kTag,
                                  false),
        ends_.back->tagMultiRecv(kTag, TagMaskFull, false)};
    ASSERT_TRUE(ends_.wait(requests));
    expectOk(requests);
    const auto& frames = static_cast<RequestTagMulti&>(*requests[1])._bufferRequests;
    ASSERT_EQ(frames.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      Buffer& buffer = *frames[i]->buffer;
      const bool is_on_device = isFromDevice() && i == 1;
      ASSERT_EQ(buffer.getType(), is_on_device ? BufferType::CCCL : BufferType::Host);
      const auto* const first = static_cast<const std::byte*>(buffer.data());
      EXPECT_EQ(is_on_device ? DeviceMemory::contentOf(first, size())
                             : std::vector<std::byte>(first, first + size()),
                content_);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ways, LandingTest, testing::ValuesIn(kWays),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::cuda::test
