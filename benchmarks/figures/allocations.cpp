// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Heap allocations and mutex locks, counted by standing in front of malloc and pthread_mutex_lock:
// for a send + receive pair after warm-up, and for a progress() that finds nothing.

#include <atomic>

#include <dlfcn.h>
#include <pthread.h>

#include "figures.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<long> allocations{0}, locks{0};

void count(std::atomic<long>& what) noexcept {
  if (counting.load(std::memory_order_relaxed)) what.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

// glibc's own names: what dlsym finds would be needed before dlsym can run.
extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT
void* __libc_realloc(void*, std::size_t);         // NOLINT
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT

#define UCXX_SEEN __attribute__((visibility("default")))
UCXX_SEEN void* malloc(std::size_t size) {
  count(allocations);
  return __libc_malloc(size);
}
UCXX_SEEN void* calloc(std::size_t number, std::size_t size) {
  count(allocations);
  return __libc_calloc(number, size);
}
UCXX_SEEN void* realloc(void* memory, std::size_t size) {
  count(allocations);
  return __libc_realloc(memory, size);
}
UCXX_SEEN void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count(allocations);
  return __libc_memalign(alignment, size);
}
UCXX_SEEN int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  count(allocations);
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
UCXX_SEEN int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto real = reinterpret_cast<Lock>(::dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  count(locks);
  return real(mutex);
}
}

namespace {

constexpr ucxx::Tag kTag{1};
constexpr int kTimes = 20000;

template <class Step>
nlohmann::json counted(Step step) {
  for (int i = 0; i < kTimes; ++i) step();
  allocations = locks = 0;
  counting = true;
  for (int i = 0; i < kTimes; ++i) step();
  counting = false;
  return {{"allocations", static_cast<double>(allocations) / kTimes},
          {"locks", static_cast<double>(locks) / kTimes}};
}

/// Two workers of one thread; the same worker twice for the self channel.
nlohmann::json pairOf(const std::shared_ptr<ucxx::Worker>& from,
                      const std::shared_ptr<ucxx::Worker>& to, std::size_t size) {
  const auto out = from->createEndpointFromWorkerAddress(to->getAddress());
  const auto in = from == to ? out : to->createEndpointFromWorkerAddress(from->getAddress());
  std::vector<char> sent(size, 1), came(size);
  return counted([&] {
    const auto receive = in->tagRecv(came.data(), size, kTag);
    const auto send = out->tagSend(sent.data(), size, kTag);
    figures::progressUntil(*to, "a message", [&] {
      if (from != to) from->progress();
      return receive->isCompleted() && send->isCompleted();
    });
  });
}

/// Whether the counters stand where they should: an allocation and a lock that are there.
void checkCounters() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const auto seen = counted([] {
    ::operator delete(::operator new(100));
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  if (seen["allocations"] != 1.0 || seen["locks"] != 1.0)
    throw std::runtime_error("cannot count here: " + seen.dump());
}

nlohmann::json figure() {
  checkCounters();
  const auto context = figures::makeContext();
  const auto worker = context->createWorker(), other = context->createWorker();
  nlohmann::json result;
  result["self_pair"] = pairOf(worker, worker, 8);
  result["idle_progress"] = counted([&] { worker->progress(); });
  result["tcp_pair_8"] = pairOf(worker, other, 8);
  result["tcp_pair_64K"] = pairOf(worker, other, 65536);
  result["idle_progress_with_a_peer"] = counted([&] { worker->progress(); });
  return result;
}

}  // namespace

int main() { return figures::print(figure); }
