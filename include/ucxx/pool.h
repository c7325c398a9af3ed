// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <optional>

#include <ucxx/export.h>

namespace ucxx {

/// The pool: library memory of this process, which large `HostBuffer`s, `MemoryHandle`s and large
/// received messages lie in, and which peers on this machine map.
///
/// A block of the pool takes the pages of its size. When it is freed it is idle: it keeps its
/// pages, so that the next block, of any size, is warm. (To fill fresh pages takes six times as
/// long.) What no block has needed for 5 seconds goes back to the system, beside blocks that come
/// and go within 10. The loops of the process's workers do that, whichever is moved first; one that
/// sleeps wakes for it once or twice. Where nobody moves a loop, idle memory stays until
/// `trimPool`, or until the limit of idle bytes takes it.
///
/// Beside it, memory of devices (`CCCLBuffer`) is idle between two buffers: it stays so until the
/// next one takes it, `trimPool` gives it back, or more is idle than may be. To give it back waits
/// for all streams: so none goes back while one waits for a transfer, nor as long as there is a
/// condition of a graph or of kernels, or a prepared transfer with a handle for kernels; nor,
/// because of the limit, by a thread without a context of CUDA, as a progress thread. Until then
/// more may be idle than the limit says.
struct PoolStats {
  std::uint64_t used_bytes = 0;         ///< taken now
  std::uint64_t idle_bytes = 0;         ///< free, with pages
  std::uint64_t idle_limit_bytes = 0;   ///< of what may be idle
  std::uint64_t total_limit_bytes = 0;  ///< of what may be used or idle
  std::uint64_t taken = 0;              ///< blocks so far
  std::uint64_t reused = 0;             ///< ... of them those that were warm, at least half
  std::uint64_t device_used_bytes = 0;  ///< of devices, in `CCCLBuffer`s; in steps (512 bytes,
                                        ///< doubling to 32 MiB, then by 2 MiB)
  std::uint64_t device_idle_bytes = 0;  ///< of devices, kept for the next one
  std::uint64_t device_idle_limit_bytes = 0;  ///< of what may be so
};

/// Any thread. Those of the host are zero until something takes such memory, and all in a forked
/// child. A block for a
/// message that is coming from another machine counts whole, though its pages come with its bytes.
UCXX_PUBLIC PoolStats poolStats() noexcept;

/// Gives all idle memory back to the system now, and that of devices, if nothing waits, to the
/// driver, and returns how many bytes that were. Any thread; 1 GiB of the host takes some 150 ms,
/// any of a device as long as its streams work. In a forked child it does nothing.
UCXX_PUBLIC std::uint64_t trimPool() noexcept;

/// What is not given stays as it is.
struct PoolLimits {
  /// Of what may be idle; at first 256 MiB, or a sixteenth of the machine's memory if that is less.
  std::optional<std::uint64_t> idle_bytes{};
  /// Of what may be used or idle; at first the machine's memory, 64 GiB at most, which it never
  /// exceeds. Blocks beyond it come from `malloc`: nothing fails, but their pages are fresh, and
  /// peers do not map them. Blocks that are used stay.
  std::optional<std::uint64_t> total_bytes{};
  /// Of what is page-locked for copies from and to devices; at first 64 MiB. It is locked as it is
  /// needed, 4 MiB at a time, and what is locked stays so. Copies beyond it wait for their turn.
  std::optional<std::uint64_t> staging_bytes{};
  /// Of the memory of all devices together that may be idle; at first 256 MiB.
  std::optional<std::uint64_t> device_idle_bytes{};
};

/// Sets limits, for as long as the process lives; idle memory beyond them goes at once, that of
/// devices if nothing waits. Any thread. Those of the host do nothing where there is no pool
/// (RLIMIT_AS is set), and all in a forked child.
UCXX_PUBLIC void setPoolLimits(const PoolLimits& limits) noexcept;

}  // namespace ucxx
