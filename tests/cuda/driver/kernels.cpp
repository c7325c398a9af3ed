// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/kernels.h"

#include <barrier>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "cuda/driver/faults.h"

namespace stand_in {
namespace {

thread_local Place current_place;
thread_local std::barrier<>* block_barrier = nullptr;

struct Registry {
  std::mutex mutex;
  std::map<std::string, KernelFunction> functions;  // guarded by `mutex`; they stay
};

Registry& registry() {
  static auto* const only = new Registry;
  return *only;
}

void runInTurn(const KernelFunction& kernel, unsigned blocks, unsigned threads, void** arguments) {
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned thread = 0; thread < threads; ++thread) {
      current_place = {block, blocks, thread, threads};
      kernel.body(kernel.function, arguments);
    }
  current_place = {};
}

void runAtOnce(const KernelFunction& kernel, unsigned blocks, unsigned threads, void** arguments) {
  std::vector<std::thread> all;
  std::vector<std::unique_ptr<std::barrier<>>> barriers;
  for (unsigned block = 0; block < blocks; ++block) {
    auto* const barrier = barriers.emplace_back(std::make_unique<std::barrier<>>(threads)).get();
    for (unsigned thread = 0; thread < threads; ++thread)
      all.emplace_back([&, block, thread, barrier] {
        current_place = {block, blocks, thread, threads};
        block_barrier = barrier;
        if (!guarded([&] { kernel.body(kernel.function, arguments); })) waitForEver();
      });
  }
  for (std::thread& thread : all) thread.join();
}

}  // namespace

Place place() noexcept { return current_place; }

void syncThreads() {
  if (block_barrier != nullptr) block_barrier->arrive_and_wait();
}

void registerKernel(const char* name, KernelBody body, void* function,
                    std::vector<std::size_t> argument_sizes, Threads threads) {
  const std::lock_guard lock(registry().mutex);
  registry().functions[name] = {body, function, std::move(argument_sizes), threads};
}

const KernelFunction* kernelFunction(const std::string& name) {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().functions.find(name);
  return found == registry().functions.end() ? nullptr : &found->second;
}

void runKernel(const KernelFunction& kernel, unsigned blocks, unsigned threads, void** arguments) {
  if (kernel.threads == Threads::AtOnce)
    runAtOnce(kernel, blocks, threads, arguments);
  else
    runInTurn(kernel, blocks, threads, arguments);
}

}  // namespace stand_in
