// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <optional>

namespace stand_in {

// CUdevice_attribute
inline constexpr int kFirstMemoryOperations = 92;
inline constexpr int kFlushInStreams = 98;
inline constexpr int kHostRegistration = 99;
inline constexpr int kSameHostAddress = 91;
inline constexpr int kPools = 115;
inline constexpr int kFlushOptions = 117;
inline constexpr int kLongMemoryOperations = 122;
inline constexpr int kWaitForNor = 123;

/// As on an H200 (docs/data/gpu_run_2.json), unless the options say otherwise.
std::optional<int> attributeOf(int attribute);
bool has(int attribute);

}  // namespace stand_in
