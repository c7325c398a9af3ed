// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "rig.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>

#include <pthread.h>

#include "../figures/figures.h"

namespace gpu::bench {
namespace {

constexpr ucxx::Tag kHello{0xbe};
constexpr std::size_t kPageWords = 512;
constexpr std::size_t kPinnedWords = std::size_t{4} << 20;  // 32 MiB

}  // namespace

bool isQuick() {
  static const bool is_set = std::getenv("GPU_BENCH_QUICK") != nullptr;
  return is_set;
}

const std::shared_ptr<ucxx::Context>& context() {
  static const auto only = figures::makeContext();
  return only;
}

Grid gridOf(std::size_t words) {
  constexpr std::size_t kThreads = 256, kMostBlocks = 32, kWarp = 32;
  const std::size_t blocks = std::clamp<std::size_t>(words / kThreads, 1, kMostBlocks);
  const std::size_t threads = std::clamp((words + kWarp - 1) / kWarp * kWarp, kWarp, kThreads);
  return {static_cast<unsigned>(blocks), static_cast<unsigned>(threads)};
}

Word* pinnedWords(std::size_t count) {
  static const auto memory = ucxx::createMemoryHandle(context(), kPinnedWords * sizeof(Word));
  static const auto base = [] {
    auto* const pages = reinterpret_cast<void*>(memory->getBaseAddress());
    Address seen = 0;
    must("cuMemHostRegister",
         driver().registerHost(pages, kPinnedWords * sizeof(Word), kPortable | kDeviceMap));
    must("cuMemHostGetDevicePointer", driver().deviceAddress(&seen, pages, 0));
    if (seen != memory->getBaseAddress())
      throw Stop("the device has other addresses than the host");
    return static_cast<Word*>(pages);
  }();
  static std::size_t taken = 0;
  if (taken + count > kPinnedWords) throw Stop("no page-locked words are left");
  Word* const words = base + taken;
  taken += (count + kPageWords - 1) / kPageWords * kPageWords;
  std::memset(words, 0, count * sizeof(Word));
  return words;
}

Word* deviceWords(std::size_t count) {
  Address address = 0;
  must("cuMemAlloc", driver().allocate(&address, count * sizeof(Word)));
  must("cuMemsetD8", driver().fill8(address, 0, count * sizeof(Word)));
  must("cuCtxSynchronize", driver().synchronize());
  return reinterpret_cast<Word*>(address);
}

void WrongWords::check(const std::string& name) const {
  const auto address = reinterpret_cast<Address>(count_);
  Word wrong = 0;
  must("cuMemcpyDtoH", driver().copyOut(&wrong, address, sizeof wrong));
  must("cuMemsetD8", driver().fill8(address, 0, sizeof wrong));
  must("cuCtxSynchronize", driver().synchronize());
  expect(name, wrong == 0, std::to_string(wrong) + " words were not those that were sent");
}

Crew::Crew(int size, std::optional<ucxx::ProgressMode> mode)
    : has_threads_(mode.has_value()), clocks_(size) {
  for (int i = 0; i < size; ++i) workers_.push_back(context()->createWorker());
  for (int i = 0; i < size; ++i) {
    auto& row = endpoints_.emplace_back(size);
    for (int j = 0; j < size; ++j)
      if (j != i) row[j] = workers_[i]->createEndpointFromWorkerAddress(workers_[j]->getAddress());
  }
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      if (j != i) meet(i, j);
  if (mode.has_value())
    for (int i = 0; i < size; ++i) start(i, *mode);
}

Crew::~Crew() {
  for (const auto& worker : workers_) worker->stopProgressThread();
}

void Crew::meet(int from, int to) const {
  char sent = 1, came = 0;
  const auto receive = endpoint(to, from)->tagRecv(&came, 1, kHello);
  const auto send = endpoint(from, to)->tagSend(&sent, 1, kHello);
  figures::progressUntil(*workers_[from], "the first message", [&] {
    workers_[to]->progress();
    return send->isCompleted() && receive->isCompleted();
  });
}

void Crew::start(int number, ucxx::ProgressMode mode) {
  struct Started {
    clockid_t clock;
    std::atomic<bool> is_known{false};
  };
  Started started;
  workers_[number]->setProgressThreadStartCallback(
      [](void* place) {
        auto* const its = static_cast<Started*>(place);
        ::pthread_getcpuclockid(::pthread_self(), &its->clock);
        its->is_known = true;
      },
      &started);
  workers_[number]->startProgressThread(ucxx::ProgressOptions{.mode = mode});
  if (!eventually([&] { return started.is_known.load(); }))
    throw Stop("a progress thread does not start");
  clocks_[number] = started.clock;
}

double Crew::threadSeconds() const {
  double seconds = 0;
  for (const clockid_t clock : clocks_) seconds += secondsOf(clock);
  return seconds;
}

void Crew::finish(const std::shared_ptr<ucxx::Request>& request) const {
  constexpr std::chrono::seconds kLimit{10};
  const bool has_ended = eventually(
      [&] {
        if (!has_threads_)
          for (const auto& worker : workers_) worker->progress();
        return request->isCompleted();
      },
      kLimit);
  if (!has_ended) throw Stop("does not end: " + request->describe());
  request->checkError();
}

double together(const std::vector<std::function<void()>>& bodies, bool has_device) {
  std::barrier gate(static_cast<std::ptrdiff_t>(bodies.size()) + 1);
  std::mutex mutex;
  std::exception_ptr failure;  // guarded by `mutex`
  std::vector<double> ends(bodies.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    threads.emplace_back([&, i] {
      bool is_past = false;
      try {
        if (has_device) useDevice();
        gate.arrive_and_wait();
        is_past = true;
        bodies[i]();
      } catch (...) {
        if (!is_past) gate.arrive_and_drop();
        const std::lock_guard lock(mutex);
        if (failure == nullptr) failure = std::current_exception();
      }
      ends[i] = microseconds();
    });
  }
  const double begin = microseconds();
  gate.arrive_and_wait();
  for (auto& thread : threads) thread.join();
  if (failure != nullptr) std::rethrow_exception(failure);
  return *std::max_element(ends.begin(), ends.end()) - begin;
}

double secondsOf(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace gpu::bench
