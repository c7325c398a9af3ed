// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "gpu/setting.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <sys/mman.h>

#include "gpu/kernels.h"
#include "gpu/report.h"

namespace gpu {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kWordBytes = 128;
constexpr std::size_t kPageBytes = 4096;

Context retained() {
  static const Context only = [] {
    Context context = nullptr;
    must("cuInit", driver().init(0));
    must("cuDevicePrimaryCtxRetain", driver().retainContext(&context, deviceNumber()));
    return context;
  }();
  return only;
}

Module kernelModule() {
  static const Module only = [] {
    Module module = nullptr;
    must("cuModuleLoadData", driver().loadModule(&module, kKernels));
    return module;
  }();
  return only;
}

}  // namespace

void useDevice() { must("cuCtxSetCurrent", driver().setContext(retained())); }

int deviceNumber() {
  static const int only = [] {
    int device = 0;
    must("cuInit", driver().init(0));
    must("cuDeviceGet", driver().device(&device, 0));
    return device;
  }();
  return only;
}

int attributeOf(int attribute) {
  int value = 0;
  return driver().deviceAttribute(&value, attribute, deviceNumber()) == kSuccess ? value : -1;
}

Words::Words(std::size_t count) {
  const std::size_t size = (count * kWordBytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  void* const pages =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw Stop("mmap of the words");
  ::madvise(pages, size, MADV_DONTFORK);
  memory_ = static_cast<char*>(pages);
  must("cuMemHostRegister", driver().registerHost(pages, size, kPortable | kDeviceMap));
  must("cuMemHostGetDevicePointer", driver().deviceAddress(&device_, pages, 0));
}

std::atomic<std::uint64_t>& Words::operator[](std::size_t index) const {
  return *reinterpret_cast<std::atomic<std::uint64_t>*>(memory_ + index * kWordBytes);
}

Address Words::at(std::size_t index) const { return device_ + index * kWordBytes; }

Stream makeStream() {
  Stream stream = nullptr;
  must("cuStreamCreate", driver().createStream(&stream, kNonBlocking));
  return stream;
}

Kernel kernelOf(const char* name) {
  static std::mutex mutex;
  static std::map<std::string, Kernel> found;
  const std::lock_guard lock(mutex);
  Kernel& kernel = found[name];
  if (kernel == nullptr) must(name, driver().getFunction(&kernel, kernelModule(), name));
  return kernel;
}

void launch(const char* kernel, Stream stream, std::initializer_list<std::uint64_t> parameters,
            unsigned blocks, unsigned threads) {
  std::array<void*, 8> places{};  // the driver copies what is there
  std::transform(parameters.begin(), parameters.end(), places.begin(),
                 [](const std::uint64_t& word) { return const_cast<std::uint64_t*>(&word); });
  must("cuLaunchKernel", driver().launch(kernelOf(kernel), blocks, 1, 1, threads, 1, 1, 0, stream,
                                         places.data(), nullptr));
}

void warmKernels() {
  static const Words words;
  const Stream stream = makeStream();
  const Address word = words.at(0), other = words.at(1);
  words[1] = 1;  // what ping_pong waits for
  launch("write_word", stream, {word, 0});
  launch("wait_word", stream, {word, 0});
  launch("ping_pong", stream, {word, other, 1});
  // count 0: nothing is touched
  launch("fill_words", stream, {word, 0, 0});
  launch("count_others", stream, {word, 0, 0, other});
  launch("copy_words", stream, {word, 0, 0});
  if (!drains("the first launches of kernels", stream)) throw Stop("kernels do not run");
}

void letOthersRun() {
  constexpr unsigned kFew = 8;
  static const bool is_needed = std::thread::hardware_concurrency() < kFew;
  if (is_needed) std::this_thread::yield();
}

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (!condition()) {
    if (Clock::now() > deadline) return false;
    letOthersRun();
  }
  return true;
}

bool drains(const char* what, Stream stream, std::chrono::milliseconds limit) {
  Result result = kNotReady;
  eventually([&] { return (result = driver().queryStream(stream)) != kNotReady; }, limit);
  return check(what, result);
}

double microseconds() {
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}

}  // namespace gpu
