// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/cuda_memory.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tools/ucx_in_use.h"

namespace ucxx::tools {
namespace {

namespace cuda = base::cuda;

[[noreturn]] void lack(const std::string& what) {
  throw std::runtime_error(
      fmt::format("--memory cuda: {}; both sides need an NVIDIA GPU and its driver, in a container "
                  "too; without them use --memory host",
                  what));
}

std::string textOf(const char* call, cuda::Result result) {
  return fmt::format("{}: error {} of CUDA ({})", call, result, cuda::textOf(result));
}

void check(const char* call, cuda::Result result) {
  if (result != cuda::kSuccess) throw std::runtime_error(textOf(call, result));
}

class CudaBuffer final : public Buffer {
 public:
  CudaBuffer(std::shared_ptr<void> block, std::size_t size_bytes)
      : Buffer(BufferType::CCCL, size_bytes), block_(std::move(block)) {}
  void* data() override { return block_.get(); }

 private:
  const std::shared_ptr<void> block_;
};

}  // namespace

Cuda::Cuda() : driver_(cuda::driver()) {
  if (driver_ == nullptr) lack(fmt::format("no driver of CUDA ({})", cuda::whyNoDriver()));
  int devices = 0, device = 0;
  const auto require = [&](const char* call, cuda::Result result) {
    if (result != cuda::kSuccess) lack(textOf(call, result));
  };
  require("cuInit", driver_->init(0));
  require("cuDeviceGetCount", driver_->deviceCount(&devices));
  if (devices == 0) lack("the driver of CUDA finds no GPU (CUDA_VISIBLE_DEVICES may hide it)");
  require("cuDeviceGet", driver_->device(&device, 0));
  // Until the process ends: UCX keeps what it has opened in the context, also for the next client.
  require("cuDevicePrimaryCtxRetain", driver_->retainContext(&context_, device));
}

std::shared_ptr<const Cuda> Cuda::open() { return std::shared_ptr<const Cuda>(new Cuda); }

void Cuda::makeCurrent() const { check("cuCtxSetCurrent", driver_->setContext(context_)); }

std::shared_ptr<void> Cuda::allocate(std::size_t size_bytes) const {
  makeCurrent();
  const std::size_t size = std::max<std::size_t>(size_bytes, 1);
  cuda::Address address = 0;
  const cuda::Result result = driver_->allocate(&address, size);
  if (result != cuda::kSuccess)
    throw std::runtime_error(fmt::format("{} bytes: {}", size, textOf("cuMemAlloc", result)));
  std::shared_ptr<void> block(reinterpret_cast<void*>(address),
                              [self = shared_from_this()](void* device) { self->free(device); });
  check("cuMemsetD8", driver_->fill8(address, 0, size));
  check("cuCtxSynchronize", driver_->synchronize());
  return block;
}

/// Nothing can be done about what fails.
void Cuda::free(void* device) const noexcept {
  driver_->setContext(context_);
  driver_->free(reinterpret_cast<cuda::Address>(device));
}

void Cuda::copyIn(void* device, const void* host, std::size_t size_bytes) const {
  makeCurrent();
  const auto to = reinterpret_cast<cuda::Address>(device);
  check("cuMemcpyHtoD", driver_->copyIn(to, host, size_bytes));
  // The call may return while the last bytes are on their way from the driver's own buffer.
  check("cuCtxSynchronize", driver_->synchronize());
}

void Cuda::copyOut(void* host, const void* device, std::size_t size_bytes) const {
  makeCurrent();
  const auto from = reinterpret_cast<cuda::Address>(device);
  check("cuMemcpyDtoH", driver_->copyOut(host, from, size_bytes));
}

std::shared_ptr<Buffer> CudaBuffers::take(std::size_t size_bytes) {
  std::shared_ptr<void> block;
  {
    const std::lock_guard lock(mutex_);
    if (size_bytes != std::exchange(size_bytes_, size_bytes)) free_.clear();
    if (!free_.empty()) {
      block = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (block == nullptr) block = cuda_->allocate(size_bytes);
  void* const data = block.get();
  const auto back = [self = shared_from_this(), block = std::move(block),
                     size_bytes](void*) mutable { self->giveBack(std::move(block), size_bytes); };
  return std::make_shared<CudaBuffer>(std::shared_ptr<void>(data, back), size_bytes);
}

void CudaBuffers::giveBack(std::shared_ptr<void> block, std::size_t size_bytes) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    if (size_bytes == size_bytes_) free_.push_back(std::move(block));
  } catch (const std::bad_alloc&) {
    // Then the driver gets it back.
  }
}

void requireUcxForCuda(const Context& context) {
  if (context.hasCudaSupport()) return;
  (void)context.getHandle();  // says why UCX does not start, if that is it
  const UcxInUse ucx = ucxInUse();
  const auto module = std::filesystem::path(ucx.path).parent_path() / "ucx/libuct_cuda.so";
  std::error_code ignored;
  const std::string why =
      std::filesystem::exists(module, ignored)
          ? fmt::format("its module {} does not load, or TLS={} leaves it out: add 'cuda' there",
                        module.string(), context.getConfig()["TLS"])
          : fmt::format("it has no module {}: use a UCX that was built with CUDA", module.string());
  throw std::runtime_error(fmt::format("--memory cuda: UCX {} at {} moves no memory of CUDA; {}",
                                       ucx.version, ucx.path, why));
}

}  // namespace ucxx::tools
