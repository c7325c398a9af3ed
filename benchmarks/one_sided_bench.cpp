// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a one-sided operation of 8 bytes costs its caller where the memory is mapped, beside the
// bare store, load and addition at the same place. The owner is another worker of this process: its
// memory is mapped once more, as another process's would be.

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include <benchmark/benchmark.h>

#include <ucxx/api.h>

namespace {

struct Remote {
  Remote()
      : context(ucxx::createContext({{"UCXX_LOCAL", "only"}})),
        worker(context->createWorker()),
        owner(context->createWorker()),
        endpoint(worker->createEndpointFromWorkerAddress(owner->getAddress())),
        back(owner->createEndpointFromWorkerAddress(worker->getAddress())),
        memory(ucxx::createMemoryHandle(context, 4096)),
        key(ucxx::createRemoteKeyFromSerialized(endpoint, memory->createRemoteKey()->serialize())) {
    std::memset(reinterpret_cast<void*>(memory->getBaseAddress()), 0, memory->getSize());
    // The first operation finds out where the memory is.
    std::uint64_t word = 0;
    const auto first = endpoint->memGet(&word, sizeof word, key);
    while (!first->isCompleted()) worker->progress(), owner->progress();
    place = static_cast<std::uint64_t*>(key->getPointer());
  }

  std::shared_ptr<ucxx::Context> context;
  std::shared_ptr<ucxx::Worker> worker, owner;
  std::shared_ptr<ucxx::Endpoint> endpoint, back;
  std::shared_ptr<ucxx::MemoryHandle> memory;
  std::shared_ptr<ucxx::RemoteKey> key;
  std::uint64_t* place = nullptr;
};

template <class Call>
void measure(benchmark::State& state, Call call) {
  const Remote remote;
  if (remote.place == nullptr) return state.SkipWithError("the memory is not mapped");
  std::uint64_t word = 1;
  for (auto _ : state) {
    call(remote, word);
    benchmark::ClobberMemory();
  }
}

void put(benchmark::State& state) {
  measure(state, [](const Remote& remote, std::uint64_t& word) {
    (void)remote.endpoint->memPut(&word, sizeof word, remote.key);
  });
}
void get(benchmark::State& state) {
  measure(state, [](const Remote& remote, std::uint64_t& word) {
    (void)remote.endpoint->memGet(&word, sizeof word, remote.key);
  });
}
void fetchAdd(benchmark::State& state) {
  measure(state, [](const Remote& remote, std::uint64_t& word) {
    (void)remote.endpoint->atomicFetch<std::uint64_t>(ucxx::AtomicOperation::Add, 1, &word,
                                                      remote.key);
  });
}

void bareStore(benchmark::State& state) {
  measure(state, [](const Remote& remote, std::uint64_t& word) {
    std::memcpy(remote.place, &word, sizeof word);
  });
}
void bareLoad(benchmark::State& state) {
  measure(state, [](const Remote& remote, std::uint64_t& word) {
    std::memcpy(&word, remote.place, sizeof word);
  });
}
void bareFetchAdd(benchmark::State& state) {
  measure(state, [](const Remote& remote, std::uint64_t& word) {
    word = std::atomic_ref(*remote.place).fetch_add(1);
  });
}

BENCHMARK(put);
BENCHMARK(bareStore);
BENCHMARK(get);
BENCHMARK(bareLoad);
BENCHMARK(fetchAdd);
BENCHMARK(bareFetchAdd);

}  // namespace
