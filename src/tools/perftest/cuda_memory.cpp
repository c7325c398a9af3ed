// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/cuda_memory.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "tools/ucx_in_use.h"

namespace ucxx::tools {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";

[[noreturn]] void lack(const std::string& what) {
  throw std::runtime_error(
      fmt::format("--memory cuda: {}; both sides need an NVIDIA GPU and its driver, in a container "
                  "too; without them use --memory host",
                  what));
}

void* openLibrary() {
  void* const library = ::dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL);  // for ever
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the text is this thread's
  if (library == nullptr) lack(fmt::format("no driver of CUDA ({})", ::dlerror()));
  return library;
}

/// A function of the driver.
class Function {
 public:
  Function(void* library, const char* name) : address_(::dlsym(library, name)) {
    if (address_ == nullptr) lack(fmt::format("{} has no {}", kLibrary, name));
  }
  template <class Pointer>
  operator Pointer*() const noexcept {  // NOLINT(google-explicit-constructor): it is one
    return reinterpret_cast<Pointer*>(address_);
  }

 private:
  void* address_;
};

class CudaBuffer final : public Buffer {
 public:
  CudaBuffer(std::shared_ptr<void> block, std::size_t size_bytes)
      : Buffer(BufferType::CCCL, size_bytes), block_(std::move(block)) {}
  void* data() override { return block_.get(); }

 private:
  const std::shared_ptr<void> block_;
};

}  // namespace

/// From cuda.h, which is not needed for these few: CUresult (0: success), CUdevice and CUcontext;
/// CUdeviceptr is an address.
struct Cuda::Driver {
  using Address = std::uintptr_t;
  static_assert(sizeof(Address) == sizeof(unsigned long long), "CUDA's drivers have 64 bits");

  void* const library = openLibrary();
  int (*const init)(unsigned flags) = Function(library, "cuInit");
  int (*const error_text)(int result, const char** text) = Function(library, "cuGetErrorString");
  int (*const count)(int* devices) = Function(library, "cuDeviceGetCount");
  int (*const device)(int* device, int ordinal) = Function(library, "cuDeviceGet");
  int (*const retain)(void** context, int device) = Function(library, "cuDevicePrimaryCtxRetain");
  int (*const set_current)(void* context) = Function(library, "cuCtxSetCurrent");
  int (*const synchronize)() = Function(library, "cuCtxSynchronize");
  int (*const allocate)(Address* block, std::size_t) = Function(library, "cuMemAlloc_v2");
  int (*const free)(Address block) = Function(library, "cuMemFree_v2");
  int (*const fill)(Address, unsigned char, std::size_t) = Function(library, "cuMemsetD8_v2");
  int (*const copy_in)(Address, const void*, std::size_t) = Function(library, "cuMemcpyHtoD_v2");
  int (*const copy_out)(void*, Address, std::size_t) = Function(library, "cuMemcpyDtoH_v2");

  std::string textOf(const char* call, int result) const {
    const char* text = nullptr;
    if (error_text(result, &text) != 0 || text == nullptr) text = "unknown";
    return fmt::format("{}: error {} of CUDA ({})", call, result, text);
  }
  void check(const char* call, int result) const {
    if (result != 0) throw std::runtime_error(textOf(call, result));
  }
};

Cuda::Cuda() : driver_(std::make_unique<Driver>()) {
  int devices = 0, device = 0;
  const auto require = [&](const char* call, int result) {
    if (result != 0) lack(driver_->textOf(call, result));
  };
  require("cuInit", driver_->init(0));
  require("cuDeviceGetCount", driver_->count(&devices));
  if (devices == 0) lack("the driver of CUDA finds no GPU (CUDA_VISIBLE_DEVICES may hide it)");
  require("cuDeviceGet", driver_->device(&device, 0));
  // Until the process ends: UCX keeps what it has opened in the context, also for the next client.
  require("cuDevicePrimaryCtxRetain", driver_->retain(&context_, device));
}

Cuda::~Cuda() = default;

std::shared_ptr<const Cuda> Cuda::open() { return std::shared_ptr<const Cuda>(new Cuda); }

void Cuda::makeCurrent() const {
  driver_->check("cuCtxSetCurrent", driver_->set_current(context_));
}

std::shared_ptr<void> Cuda::allocate(std::size_t size_bytes) const {
  makeCurrent();
  const std::size_t size = std::max<std::size_t>(size_bytes, 1);
  Driver::Address address = 0;
  const int result = driver_->allocate(&address, size);
  if (result != 0)
    throw std::runtime_error(
        fmt::format("{} bytes: {}", size, driver_->textOf("cuMemAlloc", result)));
  std::shared_ptr<void> block(reinterpret_cast<void*>(address),
                              [self = shared_from_this()](void* device) { self->free(device); });
  driver_->check("cuMemsetD8", driver_->fill(address, 0, size));
  driver_->check("cuCtxSynchronize", driver_->synchronize());
  return block;
}

/// Nothing can be done about what fails.
void Cuda::free(void* device) const noexcept {
  driver_->set_current(context_);
  driver_->free(reinterpret_cast<Driver::Address>(device));
}

void Cuda::copyIn(void* device, const void* host, std::size_t size_bytes) const {
  makeCurrent();
  const auto to = reinterpret_cast<Driver::Address>(device);
  driver_->check("cuMemcpyHtoD", driver_->copy_in(to, host, size_bytes));
  // The call may return while the last bytes are on their way from the driver's own buffer.
  driver_->check("cuCtxSynchronize", driver_->synchronize());
}

void Cuda::copyOut(void* host, const void* device, std::size_t size_bytes) const {
  makeCurrent();
  const auto from = reinterpret_cast<Driver::Address>(device);
  driver_->check("cuMemcpyDtoH", driver_->copy_out(host, from, size_bytes));
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
