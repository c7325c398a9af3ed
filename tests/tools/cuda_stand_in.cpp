// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Stands in for libcuda.so.1 where no GPU is, when it is preloaded. Its device's memory is the
// host's, which UCX moves without CUDA, and UCX's word that it moves CUDA memory is this one's. It
// holds its caller to the driver's rules: a context that is current in the thread, also where UCX
// is moved, copies within a block, no block left at the end. Nothing of CUDA is shown by it, nor of
// what UCX does with it.
//
// CUDA_STAND_IN=no-gpu: cuInit fails; hidden: there are no devices; no-ucx: UCX says its own word;
// spoils: every other copy out of the device has a wrong byte.

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <ucp/api/ucp.h>

#define UCXX_TEST_STAND_IN extern "C" [[gnu::visibility("default")]]

namespace {

using Address = std::uintptr_t;

// CUresult
constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kNoDevice = 100;
constexpr int kNoContext = 201;
constexpr int kNotFound = 500;

constexpr int kMemoryType = 2;         // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int kIsManaged = 8;          // CU_POINTER_ATTRIBUTE_IS_MANAGED
constexpr unsigned kDeviceMemory = 2;  // CU_MEMORYTYPE_DEVICE

struct Device {
  std::mutex mutex;
  std::map<Address, std::size_t> blocks;  // guarded by `mutex`
  std::size_t wrong_frees = 0;            // likewise
};

Device& device() {
  static auto* const only = new Device;  // used to the very end
  return *only;
}

thread_local void* current = nullptr;
std::atomic<bool> retained{false};
std::atomic<std::size_t> rounds_without{0};  // of UCX, since somebody has retained the context

bool isAsked(std::string_view what) {
  const char* asked = std::getenv("CUDA_STAND_IN");  // NOLINT(concurrency-mt-unsafe)
  return asked != nullptr && asked == what;
}

bool isWithinBlock(Address first, std::size_t size) {
  const std::lock_guard lock(device().mutex);
  auto next = device().blocks.upper_bound(first);
  if (next == device().blocks.begin()) return false;
  const auto& [begin, length] = *--next;
  return first - begin < length && size <= length - (first - begin);
}

int checked(Address first, std::size_t size) {
  if (current == nullptr) return kNoContext;
  return isWithinBlock(first, size) ? kSuccess : kInvalidValue;
}

[[gnu::destructor]] void tellWhatIsLeft() {
  if (!device().blocks.empty() || device().wrong_frees != 0 || rounds_without != 0)
    std::fprintf(
        stderr,
        "CUDA stand-in: %zu blocks left, %zu wrong frees, %zu rounds of UCX without context\n",
        device().blocks.size(), device().wrong_frees, rounds_without.load());
}

}  // namespace

UCXX_TEST_STAND_IN int cuInit(unsigned) { return isAsked("no-gpu") ? kNoDevice : kSuccess; }

UCXX_TEST_STAND_IN int cuGetErrorString(int result, const char** text) {
  *text = result == kNoDevice ? "no CUDA-capable device is detected" : "some error";
  return kSuccess;
}

UCXX_TEST_STAND_IN int cuDeviceGetCount(int* count) {
  return *count = isAsked("hidden") ? 0 : 1, kSuccess;
}

UCXX_TEST_STAND_IN int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? kSuccess : kInvalidValue;
}

UCXX_TEST_STAND_IN int cuDevicePrimaryCtxRetain(void** context, int) {
  retained = true;
  return *context = &device(), kSuccess;
}

UCXX_TEST_STAND_IN int cuCtxSetCurrent(void* context) { return current = context, kSuccess; }

UCXX_TEST_STAND_IN int cuCtxSynchronize() { return current == nullptr ? kNoContext : kSuccess; }

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_TEST_STAND_IN int cuMemAlloc_v2(Address* address, std::size_t size) {
  if (current == nullptr) return kNoContext;
  if (size == 0) return kInvalidValue;
  void* const block = std::malloc(size);
  if (block == nullptr) return kOutOfMemory;
  std::memset(block, 0xa5, size);
  *address = reinterpret_cast<Address>(block);
  const std::lock_guard lock(device().mutex);
  device().blocks[*address] = size;
  return kSuccess;
}

UCXX_TEST_STAND_IN int cuMemFree_v2(Address address) {
  const std::lock_guard lock(device().mutex);
  if (current == nullptr || device().blocks.erase(address) == 0)
    return ++device().wrong_frees, kInvalidValue;
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}

UCXX_TEST_STAND_IN int cuMemsetD8_v2(Address to, unsigned char byte, std::size_t size) {
  const int result = checked(to, size);
  if (result == kSuccess) std::memset(reinterpret_cast<void*>(to), byte, size);
  return result;
}

UCXX_TEST_STAND_IN int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t size) {
  const int result = checked(to, size);
  if (result == kSuccess) std::memcpy(reinterpret_cast<void*>(to), from, size);
  return result;
}

UCXX_TEST_STAND_IN int cuMemcpyDtoH_v2(void* to, Address from, std::size_t size) {
  const int result = checked(from, size);
  if (result != kSuccess) return result;
  std::memcpy(to, reinterpret_cast<const void*>(from), size);
  static std::atomic<unsigned> copies{0};
  if (isAsked("spoils") && copies++ % 2 == 0) static_cast<unsigned char*>(to)[size - 1] ^= 1;
  return result;
}

/// The newest form of a function, which has a suffix.
UCXX_TEST_STAND_IN int cuGetProcAddress_v2(const char* symbol, void** function, int, std::uint64_t,
                                           int*) {
  const std::string name = symbol;
  *function = ::dlsym(RTLD_DEFAULT, (name + "_v2").c_str());
  if (*function == nullptr) *function = ::dlsym(RTLD_DEFAULT, name.c_str());
  return *function == nullptr ? kNotFound : kSuccess;
}

// NOLINTEND(readability-identifier-naming)

/// The library asks of every buffer. Memory that the driver does not know has zeros.
UCXX_TEST_STAND_IN int cuPointerGetAttributes(unsigned count, const int* attributes, void** data,
                                              Address address) {
  const bool is_known = isWithinBlock(address, 1);
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i] != kMemoryType && attributes[i] != kIsManaged) return kInvalidValue;
    *static_cast<unsigned*>(data[i]) = is_known && attributes[i] == kMemoryType ? kDeviceMemory : 0;
  }
  return kSuccess;
}

UCXX_TEST_STAND_IN ucs_status_t ucp_context_query(ucp_context_h context,
                                                  ucp_context_attr_t* attributes) {
  const auto query =
      reinterpret_cast<decltype(&ucp_context_query)>(::dlsym(RTLD_NEXT, "ucp_context_query"));
  const ucs_status_t status = query(context, attributes);
  if (status == UCS_OK && (attributes->field_mask & UCP_ATTR_FIELD_MEMORY_TYPES) != 0 &&
      !isAsked("no-ucx"))
    attributes->memory_types |= UCS_BIT(UCS_MEMORY_TYPE_CUDA);
  return status;
}

UCXX_TEST_STAND_IN unsigned ucp_worker_progress(ucp_worker_h worker) {
  static const auto progress =
      reinterpret_cast<decltype(&ucp_worker_progress)>(::dlsym(RTLD_NEXT, "ucp_worker_progress"));
  if (retained && current == nullptr) ++rounds_without;
  return progress(worker);
}
