// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A libcuda.so.1 that is not a whole driver, of three kinds by UCXX_TEST_PART:
//   1  older than CUDA 11.3: it has no cuGetProcAddress
//   2  the toolkit's stub: it has all names, and every call says that it is the stub
//   3  of CUDA 11.3, with the first cuGetProcAddress. CUDA_PART=NAME: that call fails with 999.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#define UCXX_TEST_PART_DRIVER extern "C" [[gnu::visibility("default")]]

namespace {

[[maybe_unused]] constexpr int kStub = 34;
[[maybe_unused]] constexpr int kNotFound = 500;
[[maybe_unused]] constexpr int kUnknown = 999;

[[maybe_unused]] int resultOf(std::string_view call) {
  const char* failing = std::getenv("CUDA_PART");  // NOLINT(concurrency-mt-unsafe)
  return failing != nullptr && failing == call ? kUnknown : 0;
}

}  // namespace

#if UCXX_TEST_PART == 2

// NOLINTNEXTLINE(readability-identifier-naming): the driver's name
UCXX_TEST_PART_DRIVER int cuGetProcAddress_v2(const char*, void** function, int, std::uint64_t,
                                              int*) {
  *function = nullptr;
  return kStub;
}

#else

UCXX_TEST_PART_DRIVER int cuInit(unsigned) { return resultOf("cuInit"); }

UCXX_TEST_PART_DRIVER int cuPointerGetAttributes(unsigned count, const int*, void** data,
                                                 unsigned long long) {
  for (unsigned i = 0; i < count; ++i) *static_cast<unsigned*>(data[i]) = 0;
  return resultOf("cuPointerGetAttributes");
}

#endif
#if UCXX_TEST_PART == 3

namespace {

int version(int* version) { return *version = 11030, resultOf("cuDriverGetVersion"); }
int count(int* count) { return *count = 1, resultOf("cuDeviceGetCount"); }
int device(int* device, int ordinal) { return *device = ordinal, resultOf("cuDeviceGet"); }
int name(char* name, int size, int) {
  std::snprintf(name, static_cast<std::size_t>(size), "a part of a GPU");
  return resultOf("cuDeviceGetName");
}
int attribute(int* value, int attribute, int) {
  *value = attribute == 118 ? 100 : 1;  // CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING
  return resultOf("cuDeviceGetAttribute");
}

struct Entry {
  std::string_view symbol;
  void* function;
};

}  // namespace

UCXX_TEST_PART_DRIVER int cuGetProcAddress(const char* symbol, void** function, int,
                                           std::uint64_t) {
  const Entry entries[]{
      {"cuInit", reinterpret_cast<void*>(cuInit)},
      {"cuDriverGetVersion", reinterpret_cast<void*>(version)},
      {"cuDeviceGetCount", reinterpret_cast<void*>(count)},
      {"cuDeviceGet", reinterpret_cast<void*>(device)},
      {"cuDeviceGetName", reinterpret_cast<void*>(name)},
      {"cuDeviceGetAttribute", reinterpret_cast<void*>(attribute)},
      {"cuPointerGetAttributes", reinterpret_cast<void*>(cuPointerGetAttributes)}};
  *function = nullptr;
  for (const Entry& entry : entries)
    if (entry.symbol == symbol) *function = entry.function;
  return *function == nullptr ? kNotFound : 0;
}

#endif
