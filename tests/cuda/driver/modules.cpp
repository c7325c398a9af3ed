// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Modules, their kernels, and launches.

#include "cuda/driver/modules.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/kernels.h"
#include "cuda/driver/streams.h"

struct CUfunc_st {
  std::string name;
  const stand_in::KernelFunction* function;
  std::shared_ptr<std::atomic<bool>> is_loaded;  // its module
};

struct CUmod_st {
  const stand_in::Life* life;
  std::string text;  // PTX
  std::shared_ptr<std::atomic<bool>> is_loaded = std::make_shared<std::atomic<bool>>(false);
  std::map<std::string, std::shared_ptr<CUfunc_st>> kernels;
};

namespace stand_in {
namespace {

struct Modules {
  std::mutex mutex;  // guards them, too
  std::map<gpu::Module, std::unique_ptr<CUmod_st>> all;
  std::map<gpu::Kernel, std::shared_ptr<CUfunc_st>> kernels;
};

Modules& modules() {
  static auto* const only = new Modules;
  return *only;
}

bool isEager() {
  static const char* const mode =
      std::getenv("CUDA_MODULE_LOADING");  // NOLINT(concurrency-mt-unsafe)
  return mode != nullptr && std::strcmp(mode, "EAGER") == 0;
}

/// What the driver does at the first launch of any kernel of a module: it waits for all streams.
Result load(const CUfunc_st& kernel) {
  if (*kernel.is_loaded || isEager()) return kSuccess;
  const Result result = waitForAll();
  if (result == kSuccess) *kernel.is_loaded = true;
  return result;
}

bool hasEntry(const CUmod_st& module, const std::string& name) {
  const std::size_t at = module.text.find(".entry " + name);
  if (at == std::string::npos) return false;
  const char behind = module.text[at + std::strlen(".entry ") + name.size()];
  return behind == '(' || std::isspace(static_cast<unsigned char>(behind)) != 0;
}

void forgetKernels(const CUmod_st& module) {
  for (const auto& [name, kernel] : module.kernels) modules().kernels.erase(kernel.get());
}

std::shared_ptr<CUfunc_st> kernelOf(gpu::Kernel handle) {
  const std::lock_guard lock(modules().mutex);
  const auto found = modules().kernels.find(handle);
  return found == modules().kernels.end() ? nullptr : found->second;
}

/// Each word of an argument that is an address in a block with a shadow is one in the shadow.
void reachAll(std::vector<char>& argument) {
  for (std::size_t at = 0; at + sizeof(Address) <= argument.size(); at += sizeof(Address)) {
    Address word = 0;
    std::memcpy(&word, &argument[at], sizeof word);
    word = reached(word);
    std::memcpy(&argument[at], &word, sizeof word);
  }
}

/// Arguments as they were at the launch. The task owns them: a kernel that fails never returns.
struct Arguments {
  std::vector<std::vector<char>> values;
  std::vector<void*> places;

  Arguments(const KernelFunction& function, void** arguments) {
    for (std::size_t index = 0; index < function.argument_sizes.size(); ++index) {
      const auto* const begin = static_cast<const char*>(arguments[index]);
      values.emplace_back(begin, begin + function.argument_sizes[index]);
      reachAll(values.back());
    }
    for (auto& value : values) places.push_back(value.data());
  }
};

Result checkLaunch(const KernelNode& launch, const CUfunc_st* kernel) {
  constexpr unsigned kMostThreads = 1024;
  if (kernel == nullptr) return kInvalidHandle;
  const auto& [blocks_x, blocks_y, blocks_z] = launch.blocks;
  const auto& [threads_x, threads_y, threads_z] = launch.threads;
  if (blocks_x == 0 || threads_x == 0 || threads_x > kMostThreads) return kInvalidValue;
  if (blocks_y != 1 || blocks_z != 1 || threads_y != 1 || threads_z != 1) return kNotSupported;
  if (launch.extra != nullptr) return kNotSupported;
  if (launch.arguments == nullptr && !kernel->function->argument_sizes.empty())
    return kInvalidValue;
  const bool is_at_once = kernel->function->threads == Threads::AtOnce;
  return is_at_once && blocks_x * threads_x > kMostAtOnce ? kOutOfResources : kSuccess;
}

}  // namespace

void dropModules(const Life& life) {
  const std::lock_guard lock(modules().mutex);
  std::erase_if(modules().all, [&](const auto& each) {
    if (each.second->life != &life) return false;
    forgetKernels(*each.second);
    return true;
  });
}

Result taskOf(const KernelNode& launch, Task& task) {
  constexpr int kKernelNodeType = 0;
  const auto kernel = kernelOf(launch.kernel);
  if (const Result result = checkLaunch(launch, kernel.get()); result != kSuccess) return result;
  const auto arguments = std::make_shared<Arguments>(*kernel->function, launch.arguments);
  const auto run = [kernel, blocks = launch.blocks[0], threads = launch.threads[0], arguments] {
    runKernel(*kernel->function, blocks, threads, arguments->places.data());
  };
  task = {.type = kKernelNodeType, .call = kernel->name.c_str(), .run = run};
  task.prepare = [kernel] { return load(*kernel); };
  return kSuccess;
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuModuleLoadData(gpu::Module* module, const void* image) {
  return call("cuModuleLoadData", kInContext, [&] {
    if (module == nullptr || image == nullptr) return kInvalidValue;
    const std::string_view text(static_cast<const char*>(image));
    if (text.find(".version") == std::string_view::npos) return kInvalidImage;  // no PTX
    if (const Result result = waitForAll(); result != kSuccess) return result;
    auto made = std::make_unique<CUmod_st>();
    made->life = &currentLife();
    made->text = text;
    *module = made.get();
    const std::lock_guard lock(modules().mutex);
    modules().all.emplace(*module, std::move(made));
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuModuleUnload(gpu::Module module) {
  return call("cuModuleUnload", kInContext, [&] {
    if (const Result result = waitForAll(); result != kSuccess) return result;
    const std::lock_guard lock(modules().mutex);
    const auto found = modules().all.find(module);
    if (found == modules().all.end()) return kInvalidHandle;
    forgetKernels(*found->second);
    modules().all.erase(found);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuModuleGetFunction(gpu::Kernel* kernel, gpu::Module module,
                                         const char* name) {
  return call("cuModuleGetFunction", kInContext, [&] {
    if (kernel == nullptr || name == nullptr) return kInvalidValue;
    const std::lock_guard lock(modules().mutex);
    const auto found = modules().all.find(module);
    if (found == modules().all.end()) return kInvalidHandle;
    const KernelFunction* const function = kernelFunction(name);
    if (function == nullptr || !hasEntry(*found->second, name)) return kNotFound;
    auto& made = found->second->kernels[name];
    if (made == nullptr) {
      made = std::make_shared<CUfunc_st>();
      made->name = name;
      made->function = function;
      made->is_loaded = found->second->is_loaded;
      modules().kernels[made.get()] = made;
    }
    *kernel = made.get();
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuLaunchKernel(gpu::Kernel kernel, unsigned blocks_x, unsigned blocks_y,
                                    unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                                    unsigned threads_z, unsigned shared_bytes, gpu::Stream stream,
                                    void** arguments, void** extra) {
  return call("cuLaunchKernel", kInContext, [&] {
    const KernelNode launch{kernel,
                            {blocks_x, blocks_y, blocks_z},
                            {threads_x, threads_y, threads_z},
                            shared_bytes,
                            arguments,
                            extra,
                            nullptr,
                            nullptr};
    const StreamPointer state = streamOf(stream);
    if (state == nullptr || &state->life != &currentLife()) return kInvalidHandle;
    Task task;
    Result result = taskOf(launch, task);
    if (result == kSuccess) result = task.prepare();
    return result != kSuccess ? result : submit(stream, std::move(task));
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
