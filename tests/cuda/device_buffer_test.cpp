// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Memory of a device that the library gives: where it comes from, what stays, and when it goes
// back.

#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/buffer.h>
#include <ucxx/exception.h>
#include <ucxx/pool.h>
#include <ucxx/prepared.h>

#include "cuda/driver/stand_in.h"
#include "cuda/launches.h"
#include "cuda/stand_in_process.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

using base::cuda::kSuccess;

constexpr std::size_t kMiB = 1 << 20;
constexpr std::uint64_t kLimit = 256 * kMiB;

std::uint64_t allocations() { return stand_in::callsOf("cuMemAlloc"); }
std::uint64_t frees() { return stand_in::callsOf("cuMemFree"); }
std::uint64_t idle() { return poolStats().device_idle_bytes; }
std::uint64_t used() { return poolStats().device_used_bytes; }
std::shared_ptr<Buffer> make(std::size_t size) { return allocateBuffer(BufferType::CCCL, size); }

void reset() {
  gpu::must("cuDevicePrimaryCtxReset", driver().resetContext(0));
  base::cuda::Context context = nullptr;
  gpu::must("cuDevicePrimaryCtxRetain", driver().retainContext(&context, 0));
}

/// In a thread of its own, which has no context.
void inThread(const std::function<void()>& body) { std::thread(body).join(); }

class DeviceBufferTest : public testing::Test {
 protected:
  DeviceBufferTest() {
    gpu::useDevice();
    trimPool();
  }
  ~DeviceBufferTest() override {
    setPoolLimits({.device_idle_bytes = kLimit});
    trimPool();
    EXPECT_EQ(idle(), 0u);
    EXPECT_EQ(used(), 0u);
  }
};

TEST_F(DeviceBufferTest, IsMemoryOfTheDevice) {
  const auto buffer = make(1000);
  EXPECT_EQ(buffer->getType(), BufferType::CCCL);
  EXPECT_EQ(buffer->getType(), BufferType::RMM);
  EXPECT_EQ(buffer->getSize(), 1000u);
  EXPECT_NE(std::dynamic_pointer_cast<RMMBuffer>(buffer), nullptr);
  unsigned type = 0;
  const auto address = reinterpret_cast<Address>(buffer->data());
  ASSERT_EQ(driver().pointerAttribute(&type, base::cuda::kMemoryType, address), kSuccess);
  EXPECT_EQ(type, base::cuda::kDeviceMemory);
  base::cuda::IpcHandle handle;
  EXPECT_EQ(driver().ipcHandle(&handle, address), kSuccess);
}

TEST_F(DeviceBufferTest, SizesDoubleAndThenGoBySteps) {
  const std::pair<std::size_t, std::size_t> sizes[] = {{0, 512},
                                                       {1, 512},
                                                       {512, 512},
                                                       {513, 1024},
                                                       {3 * kMiB, 4 * kMiB},
                                                       {32 * kMiB, 32 * kMiB},
                                                       {32 * kMiB + 1, 34 * kMiB},
                                                       {101 * kMiB, 102 * kMiB}};
  for (const auto& [size, taken] : sizes) {
    CCCLBuffer buffer(size);
    EXPECT_EQ(used(), taken) << size;
    EXPECT_NE(buffer.data(), nullptr);
  }
}

TEST_F(DeviceBufferTest, TheNextOneTakesIt) {
  void* const before = make(3000)->data();
  EXPECT_EQ(idle(), 4096u);
  const auto calls = allocations(), free_calls = frees();
  const auto buffer = make(4096);
  EXPECT_EQ(buffer->data(), before);
  EXPECT_EQ(allocations(), calls);
  EXPECT_EQ(frees(), free_calls);
  EXPECT_NE(make(4096)->data(), before);
  EXPECT_EQ(allocations(), calls + 1);
}

TEST_F(DeviceBufferTest, AnotherSizeTakesNoneThatIsMuchLarger) {
  make(40 * kMiB);
  const auto calls = allocations();
  EXPECT_EQ((make(39 * kMiB), allocations()), calls);
  EXPECT_EQ((make(19 * kMiB), allocations()), calls + 1);
}

TEST_F(DeviceBufferTest, TheOneThatHasBeenIdleForTheLongestTimeComesFirst) {
  auto first = make(512), second = make(512);
  void* const expected = second->data();
  second = nullptr;
  first = nullptr;
  EXPECT_EQ(make(512)->data(), expected);
}

TEST_F(DeviceBufferTest, BeyondTheLimitTheOldestGoesBack) {
  setPoolLimits({.device_idle_bytes = 3 * kMiB});
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (int i = 0; i < 5; ++i) buffers.push_back(make(kMiB));
  void* const last = buffers.back()->data();
  const auto calls = frees();
  for (auto& buffer : buffers) buffer = nullptr;
  EXPECT_EQ(idle(), 3 * kMiB);
  EXPECT_EQ(frees(), calls + 2);
  std::set<void*> left;
  for (auto& buffer : buffers) left.insert((buffer = make(kMiB))->data());
  EXPECT_EQ(left.count(last), 1u);
  EXPECT_EQ(poolStats().device_idle_limit_bytes, 3 * kMiB);
}

TEST_F(DeviceBufferTest, ALowerLimitCountsAtOnce) {
  make(8 * kMiB);
  setPoolLimits({.device_idle_bytes = 0});
  EXPECT_EQ(idle(), 0u);
  make(8 * kMiB);
  EXPECT_EQ(idle(), 0u);
}

TEST_F(DeviceBufferTest, TrimGivesBackWhatIsIdle) {
  const auto kept = make(kMiB);
  make(kMiB), make(8 * kMiB);
  EXPECT_GE(trimPool(), 9 * kMiB);
  EXPECT_EQ(idle(), 0u);
  EXPECT_EQ(used(), kMiB);
}

TEST_F(DeviceBufferTest, AThreadWithoutAContextHasOneAsLongAsItNeedsIt) {
  inThread([] {
    const auto buffer = make(kMiB);
    EXPECT_NE(buffer->data(), nullptr);
    base::cuda::Context context = nullptr;
    EXPECT_EQ(driver().getContext(&context), kSuccess);
    EXPECT_EQ(context, nullptr);
  });
  const auto calls = allocations();
  EXPECT_EQ((make(kMiB), allocations()), calls) << "it has come into our context";
}

/// Streams may wait for what it moves.
TEST_F(DeviceBufferTest, AThreadWithoutAContextGivesNothingBackUnlessItIsAsked) {
  setPoolLimits({.device_idle_bytes = 0});
  inThread([] { make(kMiB), make(2 * kMiB); });
  EXPECT_EQ(idle(), 3 * kMiB);
  make(kMiB);
  EXPECT_EQ(idle(), 0u);
  inThread([] {
    make(kMiB);
    EXPECT_GE(trimPool(), kMiB);
  });
}

TEST_F(DeviceBufferTest, AnyThreadMayDropIt) {
  auto buffer = make(kMiB);
  inThread([&] { buffer = nullptr; });
  EXPECT_EQ(idle(), kMiB);
}

TEST_F(DeviceBufferTest, ManyThreadsTakeAndDrop) {
  setPoolLimits({.device_idle_bytes = 64 << 10});
  const auto use = [](bool has_context) {
    if (has_context) gpu::useDevice();
    std::vector<std::shared_ptr<Buffer>> held;
    for (std::size_t i = 0; i < 400; ++i) {
      auto& buffer = held.emplace_back(make(1 + (i * 7919) % 20'000));
      auto& number = *static_cast<std::size_t*>(buffer->data());
      number = i;
      EXPECT_EQ(number, i);
      if (held.size() > 9) held.erase(held.begin());
      if (i % 100 == 0) trimPool();
    }
  };
  std::thread first(use, true), second(use, false);
  use(true);
  first.join();
  second.join();
}

/// A stream that waits for the program, of which nobody here knows.
TEST_F(DeviceBufferTest, WhoBeginsToWaitDoesNotWaitForTheDriver) {
  attach();
  setPoolLimits({.device_idle_bytes = 0});
  const gpu::Words words;
  const Handle stream = gpu::makeStream();
  ASSERT_EQ(driver().waitValue64(stream, words.at(0), 1, base::cuda::kGreaterOrEqual), kSuccess);
  base::cuda::Graph graph = nullptr;
  ASSERT_EQ(driver().createGraph(&graph, 0), kSuccess);
  const auto calls = frees();
  std::thread gives_back([] {
    gpu::useDevice();
    make(kMiB);
  });
  ASSERT_TRUE(gpu::eventually([&] { return frees() > calls; }));
  (void)Condition::graph(graph);  // of a kernel it would copy, which the driver may hold up
  const auto taken = make(kMiB);
  words[0] = 1;
  gives_back.join();
  EXPECT_TRUE(drains("the stream", stream));
  EXPECT_EQ(driver().destroyGraph(graph), kSuccess);
}

TEST_F(DeviceBufferTest, WhileSomebodyCapturesTooItComesAndGoes) {
  setPoolLimits({.device_idle_bytes = 0});
  const Handle stream = gpu::makeStream();
  base::cuda::Graph graph = nullptr;
  ASSERT_EQ(driver().beginCapture(stream, base::cuda::kGlobalCapture), kSuccess);
  make(kMiB);
  inThread([] { make(kMiB); });
  trimPool();
  EXPECT_EQ(driver().endCapture(stream, &graph), kSuccess);
  EXPECT_EQ(driver().destroyGraph(graph), kSuccess);
  EXPECT_EQ(idle(), 0u);
}

/// A stream that waits for a transfer of ours.
class WaitingStreamTest : public SendingTest {
 protected:
  WaitingStreamTest() {
    trimPool();
    setPoolLimits({.device_idle_bytes = 0});
  }
  ~WaitingStreamTest() override {
    setPoolLimits({.device_idle_bytes = kLimit});
    trimPool();
  }
  std::shared_ptr<Request> receive() {
    return streams_.ends.right->tagRecv(&came_, 8, kTag, TagMaskFull);
  }
  void sendNow(const std::shared_ptr<Request>& received) {
    EXPECT_TRUE(streams_.ends.ended({streams_.ends.left->tagSend(&word_, 8, kTag), received}));
    EXPECT_TRUE(drains("the stream", streams_.stream));
  }
  std::uint64_t came_ = 0;
};

TEST_F(WaitingStreamTest, NothingIsGivenBackMeanwhile) {
  auto before = make(kMiB);
  const auto received = receive();
  streams_.letWait(received);
  const auto calls = frees();
  const auto another = make(2 * kMiB);  // comes back
  before = nullptr;
  EXPECT_EQ(idle(), kMiB);
  trimPool();
  EXPECT_EQ(idle(), kMiB);
  EXPECT_EQ(frees(), calls);
  const auto taken = allocations();
  make(kMiB);  // the one that is idle
  EXPECT_EQ(allocations(), taken);
  sendNow(received);
  make(kMiB);
  EXPECT_EQ(idle(), 0u);
  EXPECT_GT(frees(), calls);
}

TEST_F(WaitingStreamTest, NorWhileKernelsMayWait) {
  auto condition = std::make_unique<Condition>(Condition::kernel());
  make(kMiB);
  EXPECT_EQ(idle(), kMiB);
  condition = nullptr;
  trimPool();
  EXPECT_EQ(idle(), 0u);
}

TEST_F(WaitingStreamTest, NorWhileAPlanHasAHandleForKernels) {
  {
    const auto plan = streams_.ends.right->prepareRecv(&came_, 8, kTag);
    (void)plan->deviceHandle();
    make(kMiB);
    EXPECT_EQ(idle(), kMiB);
    EXPECT_TRUE(streams_.ends.ended({plan->close()}));
  }
  EXPECT_TRUE(streams_.ends.until([] { return trimPool(), idle() == 0; }));
}

TEST_F(WaitingStreamTest, NorWhileAGraphMayWait) {
  base::cuda::Graph graph = nullptr;
  ASSERT_EQ(driver().createGraph(&graph, 0), kSuccess);
  {
    const Condition condition = Condition::graph(graph);
    make(kMiB);
    EXPECT_EQ(idle(), kMiB);
  }
  trimPool();
  EXPECT_EQ(idle(), 0u);
  EXPECT_EQ(driver().destroyGraph(graph), kSuccess);
}

/// In a process of its own, with these settings of the stand-in.
void expectAlone(const char* settings, const std::function<bool()>& body) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith(settings, body);
}

template <class Error>
bool throws(const char* words, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    if (std::strstr(error.what(), words) != nullptr) return true;
    std::fprintf(stderr, "%s\n", error.what());
  }
  return false;
}

TEST(DeviceBufferErrorTest, SomebodyMustHaveInitialisedCuda) {
  expectAlone("", [] {
    return throws<UnsupportedError>("nobody has initialised CUDA", [] { make(1); }) &&
           stand_in::callsOf("cuInit") == 0 && trimPool() == 0;
  });
}

TEST(DeviceBufferErrorTest, WithoutADeviceTheDriverSaysSo) {
  expectAlone("devices=0", [] {
    driver().init(0);
    return throws<Error>("CUDA_ERROR_INVALID_DEVICE", [] { make(1); });
  });
}

TEST(DeviceBufferErrorTest, ADriverThatWasInitialisedIsEnough) {
  expectAlone("", [] {
    driver().init(0);
    return make(1)->data() != nullptr;
  });
}

TEST(DeviceBufferErrorTest, ADeviceThatIsFullIsToldWithTheSize) {
  expectAlone("memory=64M", [] {
    gpu::useDevice();
    const auto kept = make(32 * kMiB);
    return throws<NoMemoryError>("no 33554432 bytes left", [] { make(32 * kMiB); }) &&
           throws<NoMemoryError>("", [] { make(SIZE_MAX); }) && make(16 * kMiB) != nullptr;
  });
}

TEST(DeviceBufferErrorTest, WhatIsIdleGoesBackBeforeThat) {
  expectAlone("memory=64M", [] {
    gpu::useDevice();
    make(16 * kMiB), make(32 * kMiB);
    return make(40 * kMiB) != nullptr && idle() == 0;
  });
}

TEST(DeviceBufferErrorTest, ALargerOneThatIsIdleWillDo) {
  expectAlone("memory=64M", [] {
    gpu::useDevice();
    const auto condition = Condition::kernel();
    make(50 * kMiB);
    return make(16 * kMiB) != nullptr &&
           throws<NoMemoryError>("wait for transfers", [] { make(60 * kMiB); });
  });
}

TEST(DeviceBufferErrorTest, ResetMemoryIsNotGivenOut) {
  expectAlone("", [] {
    gpu::useDevice();
    auto held = make(kMiB);
    make(kMiB);
    reset();
    Address foreign = 0;  // where it was, perhaps
    gpu::must("cuMemAlloc", driver().allocate(&foreign, kMiB));
    const auto calls = allocations();
    const auto now = make(kMiB);
    held = nullptr;
    const auto again = make(kMiB);
    const bool is_right = allocations() == calls + 2;
    const auto free_calls = frees();
    trimPool();
    return is_right && idle() == 0 && frees() == free_calls &&
           now->data() != reinterpret_cast<void*>(foreign) &&
           again->data() != reinterpret_cast<void*>(foreign);
  });
}

TEST(DeviceBufferErrorTest, AThreadWithoutAContextRetainsItAgainAfterAReset) {
  expectAlone("", [] {
    gpu::useDevice();
    bool is_right = false;
    inThread([&] {
      make(kMiB);
      gpu::must("cuDevicePrimaryCtxReset", driver().resetContext(0));
      is_right = make(kMiB)->data() != nullptr;
    });
    return is_right;
  });
}

TEST(DeviceBufferErrorTest, AForkedChildHasNone) {
  expectAlone("", [] {
    gpu::useDevice();
    auto held = make(kMiB);
    make(kMiB);
    const pid_t child = ::fork();
    if (child == 0) {
      held = nullptr;
      const bool is_right = throws<UnsupportedError>("fork", [] { make(kMiB); }) && idle() == 0 &&
                            used() == 0 && trimPool() == 0;
      std::_Exit(is_right ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    return status == 0 && idle() == kMiB && used() == kMiB;
  });
}

}  // namespace
}  // namespace ucxx::cuda::test
