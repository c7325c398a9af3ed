// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <string>

#include "gpu/groups.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr int kMostAttributes = 160;

struct Attribute {
  int number;
  const char* name;
};
constexpr Attribute kAttributes[]{
    {16, "multiprocessors"},
    {40, "copy engines"},
    {75, "compute capability, major"},
    {76, "compute capability, minor"},
    {86, "native atomics on host memory"},
    {88, "pageable memory access"},
    {91, "host pointer of registered memory is the device's"},
    {92, "memory operations v1"},
    {98, "flush of remote writes in streams"},
    {99, "host registration"},
    {110, "GPUDirect RDMA with virtual memory management"},
    {115, "memory pools"},
    {116, "GPUDirect RDMA"},
    {117, "GPUDirect RDMA flush options"},
    {118, "GPUDirect RDMA writes ordering"},
    {122, "64-bit memory operations"},
    {123, "wait for NOR"},
};

void tellAttributes() {
  for (const auto& [number, name] : kAttributes)
    fact("attribute " + std::to_string(number) + ", " + name, attributeOf(number));
  nlohmann::json all;
  for (int number = 1; number < kMostAttributes; ++number)
    if (const int value = attributeOf(number); value != -1) all[std::to_string(number)] = value;
  fact("all attributes", all);
}

void tellFunctions() {
  nlohmann::json missing = nlohmann::json::array();
#define UCXX_GPU_ASK(name, symbol, version, ...) \
  if (!driver().name.isThere()) missing.push_back(#symbol);
  UCXX_CUDA_FUNCTIONS(UCXX_GPU_ASK)
#undef UCXX_GPU_ASK
  fact("functions that the driver lacks", missing);
}

}  // namespace

void tellDevice() {
  fact("cuInit and the first context", timed(useDevice) / 1000, "ms");
  int version = 0, count = 0;
  char name[256] = "";
  check("cuDriverGetVersion", driver().driverVersion(&version));
  check("cuDeviceGetCount", driver().deviceCount(&count));
  check("cuDeviceGetName", driver().deviceName(name, sizeof name, deviceNumber()));
  fact("device", name);
  fact("devices", count);
  fact("version of CUDA of the driver", version);
  tellFunctions();
  tellAttributes();
  answer("cuFlushGPUDirectRDMAWrites, to the owner", driver().flushWrites(0, 100));
}

}  // namespace gpu
