// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// How much fits behind a stream that waits, what a full queue holds up; and how many streams may
// wait, which CUDA_DEVICE_MAX_CONNECTIONS says.

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/aside.h"
#include "gpu/groups.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/setting.h"
#include "gpu/step.h"

namespace gpu {
namespace {

constexpr std::uint64_t kMost = 20'000;
constexpr std::chrono::milliseconds kStall{300};
constexpr std::size_t kMostStreams = 128;

/// While the thread that enqueues is held up inside the driver: which other calls still come back?
void tellHeldUp(const std::string& name, Stream other, Address word) {
  static const std::vector<char> host(64);
  const auto tell = [&](const char* call, const std::function<Result()>& made) {
    const Aside aside(made);
    fact(name + ", full: " + call, aside.endsWithin(kStall) ? "comes back" : "is held up");
  };
  tell("cuPointerGetAttribute", [] {
    unsigned type = 0;
    driver().pointerAttribute(&type, 2, reinterpret_cast<Address>(host.data()));
    return kSuccess;
  });
  tell("cuStreamQuery of another stream", [other] { return driver().queryStream(other); });
  tell("write in another stream", [=] { return driver().writeValue64(other, word, 1, 0); });
}

/// Enqueues behind a wait until a call does not come back.
void tellDepth(const std::string& name, const std::function<Result(const Words&, Stream)>& one) {
  static const Words words;  // the thread may be left behind
  words[0] = 0;
  const Stream stream = makeStream(), other = makeStream();
  must("the gate", driver().waitValue64(stream, words.at(0), 1, kGreaterOrEqual));
  auto enqueued = std::make_shared<std::atomic<std::uint64_t>>(0);
  auto goes_on = std::make_shared<std::atomic<bool>>(true);
  const Aside aside([=] {
    for (Result result = kSuccess; *goes_on && *enqueued < kMost; ++*enqueued)
      if ((result = one(words, stream)) != kSuccess) return result;
    return kSuccess;
  });
  std::uint64_t before = ~0ull;
  while (before != *enqueued && !aside.endsWithin(kStall)) before = *enqueued;
  const bool is_full = !aside.endsWithin(kStall);
  fact(name + ": enqueued behind a wait", enqueued->load());
  fact(name + ": then the call is held up", is_full);
  if (is_full) tellHeldUp(name, other, words.at(3));
  *goes_on = false;
  words[0] = 1;
  if (expect(name, aside.endsWithin(kPatience), "the call never came back"))
    check(name, aside.result());
  drains(name.c_str(), stream);
}

/// Streams that wait, more and more of them: from which on does another stream stand still?
void tellStreamsThatWait() {
  const Words words;
  std::vector<Stream> waiting;
  std::uint64_t beside = 0;
  const Stream free_stream = makeStream();
  while (waiting.size() < kMostStreams) {
    waiting.push_back(makeStream());
    must("a wait", driver().waitValue64(waiting.back(), words.at(0), 1, kGreaterOrEqual));
    must("a write", driver().writeValue64(free_stream, words.at(1), waiting.size(), 0));
    if (!eventually([&] { return words[1] == waiting.size(); }, kStall)) break;
    beside = waiting.size();
  }
  fact("streams that wait while another one writes", beside);
  words[0] = 1;
  for (const Stream stream : waiting) drains("streams that waited", stream);
  drains("the stream beside them", free_stream);
}

/// The same, the streams made before, and a kernel in the one beside.
void tellKernelBeside() {
  const Words words;
  std::vector<Stream> waiting(kMostStreams);
  for (Stream& stream : waiting) stream = makeStream();
  const Stream last = makeStream();
  std::uint64_t beside = 0;
  for (const Stream stream : waiting) {
    must("a wait", driver().waitValue64(stream, words.at(0), 1, kGreaterOrEqual));
    launch("write_word", last, {words.at(1), beside + 1});
    if (!eventually([&] { return words[1] == beside + 1; }, kStall)) break;
    ++beside;
  }
  fact("streams that wait while another one runs kernels", beside);
  words[0] = 1;
  for (const Stream stream : waiting) drains("streams that waited", stream);
  drains("the stream of the kernels", last);
}

}  // namespace

void tellQueue() {
  useDevice();
  warmKernels();
  tellDepth("writes", [](const Words& words, Stream stream) {
    return driver().writeValue64(stream, words.at(1), 1, 0);
  });
  tellDepth("batches of 3", [](const Words& words, Stream stream) {
    return enqueue(stream, Operations(3, write(words, 1, 1)));
  });
  tellDepth("batches of 255", [](const Words& words, Stream stream) {
    return enqueue(stream, Operations(255, write(words, 1, 1)));
  });
  tellDepth("kernels", [](const Words& words, Stream stream) {
    launch("write_word", stream, {words.at(2), 1});
    return kSuccess;
  });
}

void tellStreams() {
  useDevice();
  warmKernels();
  const char* const asked =
      std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");  // NOLINT(concurrency-mt-unsafe)
  fact("CUDA_DEVICE_MAX_CONNECTIONS", asked == nullptr ? "not set" : asked);
  step("streams that wait while another one writes", tellStreamsThatWait, kStepPatience * 3);
  step("streams that wait while another one runs kernels", tellKernelBeside, kStepPatience * 3);
}

}  // namespace gpu
