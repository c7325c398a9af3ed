// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "base/cuda_offer.h"

#include <fmt/format.h>

#include "base/cuda_driver.h"

namespace ucxx::base::cuda {
namespace {

// CUdevice_attribute
constexpr int kRdma = 116;
constexpr int kFlushOptions = 117;
constexpr int kWritesOrdering = 118;
constexpr int kFlushedByHost = 1;  // CUflushGPUDirectRDMAWritesOptions

/// 0 where the driver does not know the attribute.
int attributeOf(const Driver& driver, int attribute, int device) {
  int value = 0;
  return driver.deviceAttribute(&value, attribute, device) == kSuccess ? value : 0;
}

DeviceOffer offerOf(const Driver& driver, int device) {
  char name[256] = "";
  const bool has_name = driver.deviceName(name, sizeof name, device) == kSuccess;
  return {.name = has_name ? name : "a device of unknown name",
          .has_memory_operations = attributeOf(driver, kMemoryOperations64, device) != 0,
          .has_rdma = attributeOf(driver, kRdma, device) != 0,
          .flushes_writes = (attributeOf(driver, kFlushOptions, device) & kFlushedByHost) != 0,
          .writes_ordering = attributeOf(driver, kWritesOrdering, device)};
}

std::string versionOf(const Driver& driver) {
  int version = 0;
  if (driver.driverVersion(&version) != kSuccess) return {};
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

const char* orderOf(int ordering) {
  if (ordering >= 200) return "ordered for all devices";
  return ordering >= 100 ? "ordered for its owner" : "not ordered";
}

/// Empty: it has succeeded.
std::string failureOf(const char* call, Result result) {
  if (result == kSuccess) return {};
  return fmt::format("{}: error {} of CUDA ({})", call, result, textOf(result));
}

}  // namespace

std::string toString(const DeviceOffer& device) {
  const auto word = [](bool is_so) { return is_so ? "yes" : "no"; };
  std::string said = fmt::format("{}: 64-bit memory operations {}; GPUDirect RDMA {}", device.name,
                                 word(device.has_memory_operations), word(device.has_rdma));
  if (device.has_rdma)
    said += fmt::format(", its writes are {}, flush by the processor {}",
                        orderOf(device.writes_ordering), word(device.flushes_writes));
  return said;
}

Offer offer() {
  Offer its;
  its.is_there = presence() != Presence::None;
  const Driver* const found = driver();
  if (found == nullptr) return its.missing = whyNoDriver(), its;
  its.version = versionOf(*found);
  its.missing = failureOf("cuInit", found->init(0));
  if (!its.missing.empty()) return its;
  int count = 0;
  its.missing = failureOf("cuDeviceGetCount", found->deviceCount(&count));
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    int device = 0;
    if (found->device(&device, ordinal) == kSuccess) its.devices.push_back(offerOf(*found, device));
  }
  if (its.missing.empty() && its.devices.empty())
    its.missing = "the driver finds no GPU (CUDA_VISIBLE_DEVICES may hide it)";
  return its;
}

}  // namespace ucxx::base::cuda
