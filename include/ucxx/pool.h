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
struct PoolStats {
  std::uint64_t used_bytes = 0;         ///< taken now
  std::uint64_t idle_bytes = 0;         ///< free, with pages
  std::uint64_t idle_limit_bytes = 0;   ///< of what may be idle
  std::uint64_t total_limit_bytes = 0;  ///< of what may be used or idle
  std::uint64_t taken = 0;              ///< blocks so far
  std::uint64_t reused = 0;             ///< ... of them those that were warm, at least half
};

/// Any thread. All zero until something takes such memory, and in a forked child. A block for a
/// message that is coming from another machine counts whole, though its pages come with its bytes.
UCXX_PUBLIC PoolStats poolStats() noexcept;

/// Gives all idle memory back to the system now, and returns how many bytes that were. Any thread;
/// 1 GiB takes some 150 ms. In a forked child it does nothing.
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
};

/// Sets limits, for as long as the process lives; idle memory beyond them goes at once. Any thread.
/// It does nothing where there is no pool (RLIMIT_AS is set), and in a forked child.
UCXX_PUBLIC void setPoolLimits(const PoolLimits& limits) noexcept;

}  // namespace ucxx
