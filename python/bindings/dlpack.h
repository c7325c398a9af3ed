// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The layout of DLPack's C structures (dlpack.h of the Python array API).

#pragma once

#include <cstdint>

namespace ucxx::python::dlpack {

struct Device {
  std::int32_t type;
  std::int32_t id;
};
struct DataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  std::int32_t dimensions;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  // in items; null: C order
  std::uint64_t byte_offset;
};
struct PlainTensor {
  static constexpr const char* kName = "dltensor";
  static constexpr const char* kUsed = "used_dltensor";
  Tensor tensor;
  void* manager;
  void (*deleter)(PlainTensor*);
};
struct VersionedTensor {
  static constexpr const char* kName = "dltensor_versioned";
  static constexpr const char* kUsed = "used_dltensor_versioned";
  std::uint32_t major, minor;
  void* manager;
  void (*deleter)(VersionedTensor*);
  std::uint64_t flags;
  Tensor tensor;
};

inline constexpr std::int32_t kCpu = 1, kCuda = 2, kCudaHost = 3, kCudaManaged = 13;
inline constexpr std::uint8_t kUnsigned = 1, kOpaque = 3;
inline constexpr std::uint32_t kMajor = 1;  // the version that is known

}  // namespace ucxx::python::dlpack
