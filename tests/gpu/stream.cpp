// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Memory operations in a stream: which there are, what they refuse, and what they order.

#include <string>
#include <vector>

#include "gpu/groups.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr int kOrderRounds = 2000;
constexpr std::size_t kPayloadWords = 4096;

/// A wait ends at once, only after the word changes, or is refused.
void tellWait(const Words& words, const std::string& what, std::uint64_t before,
              std::uint64_t value, unsigned flags, std::uint64_t after) {
  const Stream stream = makeStream();
  words[1] = before;
  const Result result = driver().waitValue64(stream, words.at(1), value, flags);
  if (answer(what, result) != kSuccess) return;
  const auto ends = [&] { return driver().queryStream(stream) == kSuccess; };
  expect(what + ", before", !eventually(ends, std::chrono::milliseconds(20)), "it did not wait");
  words[1] = after;
  expect(what + ", after", eventually(ends), "it waits for ever");
  driver().destroyStream(stream);
}

void tellWaits(const Words& words) {
  tellWait(words, "wait for 5 or more", 4, 5, kGreaterOrEqual, 6);
  tellWait(words, "wait for 2 or more, cyclically", ~0ull, 2, kGreaterOrEqual, 2);
  tellWait(words, "wait for more than 2^63, cyclically", (1ull << 63) - 1, (1ull << 63) + 1,
           kGreaterOrEqual, (1ull << 63) + 1);
  tellWait(words, "wait for 5", 6, 5, kEqual, 5);
  tellWait(words, "wait for a bit", 1, 2, kAnd, 3);
  tellWait(words, "wait for a bit that is not set", ~0ull, 0, kNor, 1);
  tellWait(words, "wait, then flush", 4, 5, kGreaterOrEqual | kThenFlush, 5);
}

/// Where a word may lie; none of these is an error of ours.
void tellPlaces(const Words& words, Stream stream) {
  Address device = 0, managed = 0;
  void* pinned = nullptr;
  static std::uint64_t ours = 0;
  const auto tell = [&](const char* what, Address place) {
    answer(std::string("write to ") + what, driver().writeValue64(stream, place, 1, 0));
    drains(what, stream);
  };
  check("cuMemAlloc", driver().allocate(&device, 4096));
  check("cuMemHostAlloc", driver().allocateHost(&pinned, 4096, kPortable | kDeviceMap));
  check("cuMemAllocManaged", driver().allocateManaged(&managed, 4096, 1));
  tell("memory of the device", device);
  tell("page-locked memory of the driver", reinterpret_cast<Address>(pinned));
  tell("managed memory", managed);
  answer("write to memory that is not registered",
         driver().writeValue64(stream, reinterpret_cast<Address>(&ours), 1, 0));
  answer("write to an address that is not aligned",
         driver().writeValue64(stream, words.at(0) + 4, 1, 0));
  answer("write to null", driver().writeValue64(stream, 0, 1, 0));
}

/// What the names without suffix give.
void tellFirstForms(const Words& words, Stream stream) {
  using Write = Result(Stream, Address, std::uint64_t, unsigned);
  auto* const first = reinterpret_cast<Write*>(exported("cuStreamWriteValue64"));
  if (first == nullptr) return fact("cuStreamWriteValue64 by dlsym", "not there");
  answer("cuStreamWriteValue64 by dlsym", first(stream, words.at(0), 1, 0));
}

void tellStreams(const Words& words) {
  unsigned long long first = 0, second = 0;
  Stream stream = makeStream();
  const Stream old = stream;
  if (!check("cuStreamGetId", driver().streamId(stream, &first))) return;
  check("cuStreamDestroy", driver().destroyStream(stream));
  stream = makeStream();
  check("cuStreamGetId", driver().streamId(stream, &second));
  fact("a new stream has the handle of one that was destroyed", stream == old);
  expect("cuStreamGetId", first != second, "a new stream has the id of one that was destroyed");
  check("cuStreamGetId of the legacy stream", driver().streamId(nullptr, &first));
  fact("id of the legacy stream", first);
  answer("write in the legacy stream", driver().writeValue64(nullptr, words.at(0), 2, 0));
  answer("write in the legacy stream by its handle",
         driver().writeValue64(legacyStream(), words.at(0), 2, 0));
}

/// A write comes after all that its stream has done before.
void tellOrderOut(const Words& words, Stream stream) {
  const Words payload(kPayloadWords / 16);
  const Address to = payload.at(0);
  int wrong = 0;
  for (std::uint64_t round = 1; round <= kOrderRounds; ++round) {
    launch("fill_words", stream, {to, round, kPayloadWords}, 4, 256);
    must("cuStreamWriteValue64", driver().writeValue64(stream, words.at(2), round, 0));
    if (!expect("order of kernel and write", eventually([&] { return words[2] == round; }),
                "the write never came"))
      return;
    const auto* const seen = reinterpret_cast<const std::uint64_t*>(&payload[0]);
    for (std::size_t word = 0; word < kPayloadWords; ++word) wrong += seen[word] != round;
  }
  fact("kernel, then write: rounds", kOrderRounds);
  expect("kernel, then write", wrong == 0,
         std::to_string(wrong) + " words were older than the write");
}

/// What the processor wrote before it released a word is there after the wait for it.
void tellOrderIn(const Words& words, Stream stream) {
  const Words payload(kPayloadWords / 16);
  const Address of = payload.at(0);
  auto* const plain = reinterpret_cast<volatile std::uint64_t*>(&payload[0]);
  Address device_sum = 0;
  must("cuMemAlloc", driver().allocate(&device_sum, 8));
  must("cuMemsetD8", driver().fill8(device_sum, 0, 8));
  for (std::uint64_t round = 1; round <= kOrderRounds; ++round) {
    must("cuStreamWaitValue64", driver().waitValue64(stream, words.at(3), round, kGreaterOrEqual));
    launch("count_others", stream, {of, round, kPayloadWords, device_sum}, 4, 256);
    must("cuStreamWriteValue64", driver().writeValue64(stream, words.at(4), round, 0));
    for (std::size_t word = 0; word < kPayloadWords; ++word) plain[word] = round;
    words[3].store(round, std::memory_order_release);
    if (!expect("order of wait and kernel", eventually([&] { return words[4] == round; }),
                "the wait never ended"))
      return;
  }
  std::uint64_t wrong = 0;
  check("cuMemcpyDtoH", driver().copyOut(&wrong, device_sum, 8));
  fact("wait, then kernel: rounds", kOrderRounds);
  expect("wait, then kernel", wrong == 0,
         std::to_string(wrong) + " words were older than the word");
}

}  // namespace

void tellStream() {
  useDevice();
  const Words words;
  const Stream stream = makeStream();
  if (check("cuStreamWriteValue64", driver().writeValue64(stream, words.at(0), 42, 0)) &&
      drains("a write", stream))
    expect("a write", words[0] == 42, "it did not arrive");
  answer("write without a barrier", driver().writeValue64(stream, words.at(0), 43, kNoBarrier));
  answer("write of 32 bits", driver().writeValue32(stream, words.at(0), 44, 0));
  tellWaits(words);
  tellStreams(words);
  tellOrderOut(words, stream);
  tellOrderIn(words, stream);
  tellFirstForms(words, stream);
  tellPlaces(words, stream);  // last: an error of the GPU would stick to the context
}

}  // namespace gpu
