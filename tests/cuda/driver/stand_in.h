// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What tests may ask of the stand-in for libcuda.so.1 beyond the driver's own functions
// (README.md).

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define UCXX_STAND_IN [[gnu::visibility("default")]]

struct CUctx_st;

namespace stand_in {

/// Which thread of a kernel this is; of one dimension.
struct Place {
  unsigned block = 0, blocks = 1, thread = 0, threads = 1;
};

/// How the threads of a kernel run: each after the other, or all at the same time, which is at most
/// 256 and lets them wait for each other (`syncThreads`).
enum class Threads { InTurn, AtOnce };

using KernelBody = void (*)(void* function, void** arguments);

UCXX_STAND_IN Place place() noexcept;  // of the calling thread of a kernel
UCXX_STAND_IN void syncThreads();      // __syncthreads

/// Kernels of this name are that function, in each module that has an entry of this name.
UCXX_STAND_IN void registerKernel(const char* name, KernelBody body, void* function,
                                  std::vector<std::size_t> argument_sizes, Threads threads);

template <class... Arguments>
void registerKernel(const char* name, void (*function)(Arguments...),
                    Threads threads = Threads::InTurn) {
  static_assert((std::is_trivially_copyable_v<Arguments> && ...));
  const KernelBody body = [](void* address, void** arguments) {
    const auto call = [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      reinterpret_cast<void (*)(Arguments...)>(address)(
          *static_cast<Arguments*>(arguments[Index])...);
    };
    call(std::index_sequence_for<Arguments...>());
  };
  registerKernel(name, body, reinterpret_cast<void*>(function), {sizeof(Arguments)...}, threads);
}

/// How often a function of the driver was called, by the name that cuGetProcAddress knows.
UCXX_STAND_IN std::uint64_t callsOf(const char* name);
/// The same for other languages.
extern "C" UCXX_STAND_IN std::uint64_t ucxx_stand_in_calls_of(const char* name);

/// Whether a context is retained that is not current in the calling thread.
UCXX_STAND_IN bool lacksContext() noexcept;

/// UCX was moved by a thread in which no context is current: told at the end, with what is left.
UCXX_STAND_IN void countRoundWithoutContext() noexcept;

/// Whether `word` is in UCXX_CUDA_STAND_IN.
UCXX_STAND_IN bool isAsked(const char* word);

/// From now on these bytes are a device's (or managed), and no others that were so by this call.
/// They are the host's, so that UCX, which does not ask the driver, can read them.
UCXX_STAND_IN void takeForDeviceMemory(const void* first, std::size_t size);
UCXX_STAND_IN void takeForManagedMemory(const void* first, std::size_t size);

/// The same beside others, until it is given back: so UCX moves messages from device to device.
UCXX_STAND_IN void takeMoreForDeviceMemory(const void* first, std::size_t size,
                                           bool has_ipc_handle);
UCXX_STAND_IN void giveBackTaken(const void* first);

/// What the driver tells of memory that a test makes.
struct MadeMemory {
  bool has_ipc_handle = true;   // false: of cuMemCreate, which is of no context either
  bool is_of_pool = false;      // of no context, and without a handle
  int device = 0;               // its ordinal
  CUctx_st* context = nullptr;  // null: the device's primary one, if it is of any
};

/// Memory that only a device reaches: the process dies when the processor touches it. Calls of the
/// driver and kernels reach it. It stays until it is freed, however many there are.
UCXX_STAND_IN void* makeDeviceMemory(std::size_t size, const MadeMemory& how = {});
UCXX_STAND_IN void freeDeviceMemory(void* memory);

/// From now on copies of streams (cuMemcpy*Async) do not begin, and what is behind them in their
/// streams waits; calls that wait for a copy do, too. The watchdog counts that as any wait.
UCXX_STAND_IN void holdCopies();
UCXX_STAND_IN void releaseCopies();
/// Both for other languages.
extern "C" UCXX_STAND_IN void ucxx_stand_in_hold_copies(int holds);

/// The next copy that is given to a stream fails when its turn comes, with an error that stays
/// (700: CUDA_ERROR_ILLEGAL_ADDRESS): nothing that waits goes on, calls answer it.
UCXX_STAND_IN void failNextCopy(int result = 700);

/// Copies that streams have been given and that are not done. What graphs copy is not counted.
UCXX_STAND_IN std::size_t copiesInFlight();
/// The same for other languages.
extern "C" UCXX_STAND_IN std::size_t ucxx_stand_in_copies_in_flight();

}  // namespace stand_in
