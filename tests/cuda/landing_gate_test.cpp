// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Receives into memory of a device that come behind what a stream of the program's has still to do
// with it.

#include <array>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <ucxx/exception.h>

#include "core/request/device_copies.h"
#include "core/request/known_memory.h"
#include "cuda/landing.h"
#include "cuda/stand_in_process.h"

namespace ucxx::cuda::test {
namespace {

/// A stream that waits for a word.
class BusyStream {
 public:
  BusyStream() {
    gpu::must("cuStreamWaitValue64",
              gpu::driver().waitValue64(stream_, words_.at(0), 1, gpu::kGreaterOrEqual));
  }
  ~BusyStream() { goOn(); }
  BusyStream(const BusyStream&) = delete;
  BusyStream& operator=(const BusyStream&) = delete;

  void goOn() { words_[0] = 1; }
  operator gpu::Stream() const { return stream_; }

 private:
  gpu::Words words_;
  gpu::Stream stream_ = gpu::makeStream();
};

/// The receive that is posted while this lives comes behind what the stream has to do.
class Behind {
 public:
  Behind(gpu::Stream stream, const void* place) : Behind(core::CopyGate::behind(stream), place) {}
  /// Receives that share a gate go on in the same round.
  Behind(std::shared_ptr<core::CopyGate> gate, const void* place)
      : buffer_(place), gate_(std::move(gate)) {}
  Behind(const Behind&) = delete;
  Behind& operator=(const Behind&) = delete;

 private:
  const void* const buffer_;
  const std::shared_ptr<core::CopyGate> gate_;
  const core::KnownMemory known_{{&buffer_, 1}, core::MemoryOf::Asked, gate_};
};

/// Of those that have not ended.
std::multiset<std::string> statesOfReceives(Worker& worker) {
  std::multiset<std::string> states;
  for (const PeerReport& peer : worker.report().peers)
    for (const EndpointReport& endpoint : peer.endpoints)
      for (const OperationReport& one : endpoint.pending)
        if (one.kind.find("receive") != std::string::npos) states.insert(one.state);
  return states;
}

/// How a payload comes.
struct Payload {
  const char* name;
  std::size_t size;
  bool is_from_device;
  bool is_stream;
};
void PrintTo(const Payload& payload, std::ostream* out) { *out << payload.name; }

constexpr Payload kPayloads[] = {
    {"Short", 1000, false, false},          {"Announced", 3'000'000, false, false},
    {"ShortOfADevice", 1000, true, false},  {"Staged", 3'000'000, true, false},
    {"ShortStream", 1000, false, true},     {"AnnouncedStream", 3'000'000, false, true},
    {"StagedStream", 3'000'000, true, true}};

class LandingGateTest : public testing::TestWithParam<std::tuple<Road, Payload>> {
 protected:
  const Payload& payload() const { return std::get<Payload>(GetParam()); }
  Road road() const { return std::get<Road>(GetParam()); }
  std::size_t size() const { return payload().size; }
  /// UCX has no CUDA here.
  bool isPossible() const { return road() != Road::Ucx || !payload().is_from_device; }

  std::shared_ptr<Request> receive(const DeviceMemory& place) const {
    return payload().is_stream ? ends_.back->streamRecv(place.data(), size(), false)
                               : ends_.back->tagRecv(place.data(), size(), kTag, TagMaskFull);
  }
  std::shared_ptr<Request> receiveBehind(gpu::Stream stream, const DeviceMemory& place) const {
    const Behind behind(stream, place.data());
    return receive(place);
  }
  std::shared_ptr<Request> send() const {
    const void* const from = payload().is_from_device ? source_.data() : content_.data();
    return payload().is_stream ? ends_.there->streamSend(from, size(), false)
                               : ends_.there->tagSend(from, size(), kTag);
  }
  /// The receive has met its message.
  bool isMet() const {
    return ends_.until([&] { return statesOfReceives(*ends_.receiver).count("waiting") == 0; });
  }
  /// The payload is asked for when the gate opens.
  bool isLeftWithItsSender() const {
    return road() == Road::Local && size() > 1'000'000 && !payload().is_stream;
  }

  Ends ends_{road()};
  const std::vector<std::byte> content_ = bytes(size());
  const DeviceMemory source_{content_};
  const std::vector<std::byte> before_ = std::vector<std::byte>(size(), std::byte{7});
};

TEST_P(LandingGateTest, NothingIsWrittenBeforeItOpens) {
  if (!isPossible()) return;
  BusyStream stream;
  const DeviceMemory place(before_);
  const Requests requests{receiveBehind(stream, place), send()};
  ASSERT_TRUE(isMet());
  if (isLeftWithItsSender()) {
    EXPECT_EQ(statesOfReceives(*ends_.receiver).count("moving"), 1u);
  }
  EXPECT_EQ(place.content(), before_);
  stream.goOn();
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  EXPECT_EQ(place.content(), content_);
}

TEST_P(LandingGateTest, WhatIsGivenBackBeforeItOpensIsReceivedAgain) {
  if (!isPossible()) return;
  const BusyStream stream;
  const DeviceMemory first(before_), second(size());
  const Requests requests{receiveBehind(stream, first), send()};
  ASSERT_TRUE(isMet());
  EXPECT_TRUE(requests[0]->giveBack());
  ASSERT_TRUE(ends_.wait(requests));
  EXPECT_EQ(requests[0]->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(first.content(), before_);
  const auto again = receive(second);
  ASSERT_TRUE(ends_.wait({again}));
  EXPECT_NO_THROW(again->checkError());
  EXPECT_EQ(second.content(), content_);
}

TEST_P(LandingGateTest, WhatWasCancelledInVainMayBeGivenBack) {
  if (!isPossible()) return;
  const BusyStream stream;
  const DeviceMemory place(before_);
  const Requests requests{receiveBehind(stream, place), send()};
  ASSERT_TRUE(isMet());
  requests[0]->cancel();
  EXPECT_FALSE(requests[0]->isCompleted());
  EXPECT_TRUE(requests[0]->giveBack());
  ASSERT_TRUE(ends_.wait(requests));
  EXPECT_EQ(requests[0]->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(place.content(), before_);
}

TEST_P(LandingGateTest, AWorkerEndsWithoutIt) {
  if (!isPossible()) return;
  const BusyStream stream;
  const DeviceMemory place(before_);
  const Requests requests{receiveBehind(stream, place), send()};
  ASSERT_TRUE(isMet());
  for (const auto& request : requests) request->setParent(nullptr);
  ends_ = Ends();
  EXPECT_EQ(requests[0]->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(place.content(), before_);
}

INSTANTIATE_TEST_SUITE_P(Payloads, LandingGateTest,
                         testing::Combine(testing::Values(Road::Self, Road::Local, Road::Ucx),
                                          testing::ValuesIn(kPayloads)),
                         [](const auto& info) {
                           return nameOf(std::get<Road>(info.param)) +
                                  std::get<Payload>(info.param).name;
                         });

constexpr std::size_t kLongBytes = 3'000'000;

/// What is behind it in the stream need not wait for the device.
TEST(LandingGateStreamTest, OthersDoNotWaitForIt) {
  const Ends ends(Road::Local);
  BusyStream stream;
  const auto content = bytes(kLongBytes);
  const DeviceMemory place(kLongBytes);
  std::vector<std::byte> next(kLongBytes);
  Requests requests;
  {
    const Behind behind(stream, place.data());
    requests.push_back(ends.back->streamRecv(place.data(), kLongBytes, false));
  }
  const Requests others{ends.back->streamRecv(next.data(), kLongBytes, false),
                        ends.there->streamSend(content.data(), kLongBytes, false),
                        ends.there->streamSend(content.data(), kLongBytes, false)};
  ASSERT_TRUE(ends.wait(others));
  expectOk(others);
  EXPECT_EQ(next, content);
  EXPECT_FALSE(requests[0]->isCompleted());
  stream.goOn();
  ASSERT_TRUE(ends.wait(requests));
  expectOk(requests);
  EXPECT_EQ(place.content(), content);
}

/// One callback, in the round in which the gate of both opens.
TEST(LandingGateCallbackTest, TheNextOneIsGivenBack) {
  const Ends ends(Road::Local);
  BusyStream stream;
  const auto content = bytes(kLongBytes);
  const DeviceMemory place(kLongBytes), again(kLongBytes);
  const auto gate = core::CopyGate::behind(stream);
  std::array<std::byte, 8> gone{};  // as if a device had had it: its copy fails at once
  Requests requests(2);
  {
    const Behind behind(gate, gone.data());
    requests[0] = ends.back->tagRecv(
        gone.data(), gone.size(), Tag{1}, TagMaskFull, false,
        [&](ucs_status_t, const std::shared_ptr<void>&) { EXPECT_TRUE(requests[1]->giveBack()); });
  }
  {
    const Behind behind(gate, place.data());
    requests[1] = ends.back->tagRecv(place.data(), kLongBytes, kTag, TagMaskFull);
  }
  requests.push_back(ends.there->tagSend(content.data(), 8, Tag{1}));
  requests.push_back(ends.there->tagSend(content.data(), kLongBytes, kTag));
  ASSERT_TRUE(ends.until([&] { return statesOfReceives(*ends.receiver).count("waiting") == 0; }));
  stream.goOn();
  ASSERT_TRUE(ends.wait(requests));
  EXPECT_EQ(requests[0]->getStatus(), UCS_ERR_IO_ERROR);
  EXPECT_EQ(requests[1]->getStatus(), UCS_ERR_CANCELED);
  const auto receive = ends.back->tagRecv(again.data(), kLongBytes, kTag, TagMaskFull);
  ASSERT_TRUE(ends.wait({receive}));
  EXPECT_EQ(again.content(), content);
}

}  // namespace
}  // namespace ucxx::cuda::test
