// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Receives into memory of a device that come behind what a stream of the program's has still to do
// with it.

#include <ostream>
#include <string>
#include <tuple>

#include <ucxx/exception.h>

#include "core/device_copies.h"
#include "core/known_memory.h"
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
  bool isPossible() const { return road() == Road::Local || !payload().is_from_device; }

  std::shared_ptr<Request> receive(const DeviceMemory& place) const {
    return payload().is_stream ? ends_.back->streamRecv(place.data(), size(), false)
                               : ends_.back->tagRecv(place.data(), size(), kTag, TagMaskFull);
  }
  std::shared_ptr<Request> receiveBehind(gpu::Stream stream, const DeviceMemory& place) const {
    const void* const buffer = place.data();
    const auto gate = core::CopyGate::behind(stream);
    const core::KnownMemory known({&buffer, 1}, core::MemoryOf::Device, gate);
    return receive(place);
  }
  std::shared_ptr<Request> send() const {
    const void* const from = payload().is_from_device ? source_.data() : content_.data();
    return payload().is_stream ? ends_.there->streamSend(from, size(), false)
                               : ends_.there->tagSend(from, size(), kTag);
  }
  /// Of the receive; empty: there is none.
  std::string state() const {
    for (const PeerReport& peer : ends_.receiver->report().peers)
      for (const EndpointReport& endpoint : peer.endpoints)
        for (const OperationReport& one : endpoint.pending)
          if (one.kind.find("receive") != std::string::npos) return one.state;
    return {};
  }
  /// The receive has met its message.
  bool isMet() const {
    return ends_.until([&] { return state() != "waiting"; });
  }
  /// The payload is asked for when the gate opens.
  bool isLeftWithItsSender() const { return road() == Road::Local && size() > 1'000'000; }

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
    EXPECT_EQ(state(), "moving");
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
                         testing::Combine(testing::Values(Road::Local, Road::Ucx),
                                          testing::ValuesIn(kPayloads)),
                         [](const auto& info) {
                           return nameOf(std::get<Road>(info.param)) +
                                  std::get<Payload>(info.param).name;
                         });

}  // namespace
}  // namespace ucxx::cuda::test
