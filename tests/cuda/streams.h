// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What tests of transfers in CUDA's streams start from. The driver is the stand-in, or a GPU's.

#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <ucxx/cuda/stream.h>

#include "core/conditional.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace ucxx::cuda::test {

using namespace core::test;  // NOLINT(google-build-using-namespace): a test
using base::cuda::Address;
using Handle = base::cuda::Stream;
using gpu::driver;

inline constexpr Tag kTag{0x57};
/// How long what must not happen is waited for.
inline constexpr std::chrono::milliseconds kShort{50};

/// What hangs over the stand-in is ended before by its watchdog, which says where.
inline bool drains(const char* what, Handle stream) {
  return gpu::drains(what, stream, compat::kDeadline);
}

/// For a process whose output is all that is left of it.
inline bool isSaid(const char* words, const std::function<void()>& call) {
  const std::string text = messageOf(call);
  if (text.find(words) != std::string::npos) return true;
  std::fprintf(stderr, "%s\n", text.c_str());
  return false;
}

/// 8 bytes of managed memory.
class ManagedWord {
 public:
  ManagedWord() {
    constexpr unsigned kGlobal = 1;  // CU_MEM_ATTACH_GLOBAL
    gpu::must("cuMemAllocManaged", driver().allocateManaged(&address_, 8, kGlobal));
  }
  /// Nothing may wait: the driver waits for all streams.
  ~ManagedWord() { EXPECT_EQ(driver().free(address_), base::cuda::kSuccess); }
  ManagedWord(const ManagedWord&) = delete;
  ManagedWord& operator=(const ManagedWord&) = delete;
  void* data() const { return reinterpret_cast<void*>(address_); }

 private:
  Address address_ = 0;
};

/// In a progress mode of its own, two ends, a stream that waits until `open()`, and words that it
/// writes.
class Streams {
 public:
  explicit Streams(Route route = Route::Address, Mode mode = Mode::Adaptive)
      : stream(gpu::makeStream()), ends(route, mode) {
    options.caller_progresses = mode == Mode::Event;
  }
  ~Streams() {
    open();
    EXPECT_TRUE(drains("the stream", stream));
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  void shut() {
    ASSERT_EQ(driver().waitValue64(stream, words.at(0), 1, base::cuda::kGreaterOrEqual),
              base::cuda::kSuccess);
  }
  void open() { words[0] = 1; }
  /// The stream writes a word when it gets there.
  void write(std::size_t word, std::uint64_t value = 1) {
    ASSERT_EQ(driver().writeValue64(stream, words.at(word), value, 0), base::cuda::kSuccess);
  }
  bool isWritten(std::size_t word, std::uint64_t value = 1) const { return words[word] == value; }
  Condition condition() const { return Condition::stream(stream, options); }
  void letWait(const std::shared_ptr<Request>& request) const {
    request->waitOn(stream, options.caller_progresses);
  }

 private:
  struct WithDevice {
    WithDevice() { gpu::useDevice(); }
  };
  WithDevice device_;

 public:
  gpu::Words words;
  Handle stream;
  ConditionOptions options;
  Ends ends;
};

/// A word that the left end sends.
class SendingTest : public testing::Test {
 protected:
  std::shared_ptr<Request> send(const Condition& condition) {
    return streams_.ends.left->tagSendBuilder(&word_, 8, kTag).condition(condition).build();
  }
  std::uint64_t word_ = 1;
  Streams streams_;
};

}  // namespace ucxx::cuda::test
