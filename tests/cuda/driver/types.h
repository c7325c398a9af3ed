// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/driver/stand_in.h"
#include "gpu/driver.h"

/// A function that the library exports, as the driver's are.
#define UCXX_CUDA_API extern "C" UCXX_STAND_IN

namespace stand_in {

using gpu::Address;
using gpu::BatchNode;
using gpu::ConditionalNode;
using gpu::IpcHandle;
using gpu::MemoryOperation;
using gpu::Result;

// CUresult
inline constexpr Result kSuccess = 0;
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNotInitialized = 3;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kInvalidDevice = 101;
inline constexpr Result kInvalidImage = 200;
inline constexpr Result kInvalidContext = 201;
inline constexpr Result kInvalidHandle = 400;
inline constexpr Result kIllegalState = 401;
inline constexpr Result kNotFound = 500;
inline constexpr Result kNotReady = 600;
inline constexpr Result kIllegalAddress = 700;
inline constexpr Result kOutOfResources = 701;
inline constexpr Result kContextIsDestroyed = 709;
inline constexpr Result kAlreadyRegistered = 712;
inline constexpr Result kNotRegistered = 713;
inline constexpr Result kNotPermitted = 800;
inline constexpr Result kNotSupported = 801;
inline constexpr Result kCaptureUnsupported = 900;
inline constexpr Result kCaptureInvalidated = 901;
inline constexpr Result kCaptureUnjoined = 904;
inline constexpr Result kCaptureIsolation = 905;
inline constexpr Result kCaptureImplicit = 906;
inline constexpr Result kCapturedEvent = 907;
inline constexpr Result kWrongThread = 908;

/// nullptr: there is none.
const char* nameOfResult(Result result);
const char* textOfResult(Result result);

inline void* pointerTo(Address address) { return reinterpret_cast<void*>(address); }
inline Address addressOf(const void* pointer) { return reinterpret_cast<Address>(pointer); }

}  // namespace stand_in
