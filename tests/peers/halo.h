// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "core/remote.h"

namespace ucxx::core::test {

/// Who exchanges with whom.
enum class Pattern { Ring, All };
inline std::string nameOf(Pattern pattern) { return pattern == Pattern::Ring ? "Ring" : "All"; }

inline std::vector<std::size_t> neighboursOf(std::size_t rank, std::size_t count, Pattern pattern) {
  std::vector<std::size_t> ranks;
  for (std::size_t other = 0; other < count; ++other) {
    const bool is_next = (rank + 1) % count == other || (other + 1) % count == rank;
    if (other != rank && (pattern == Pattern::All || is_next)) ranks.push_back(other);
  }
  return ranks;
}

/// The transfer from one process to another: which ways the bytes go.
struct Halo {
  std::size_t sent_partitions, received_partitions;
  std::size_t each;  ///< bytes of a partition of the sender
  Owner source, target;

  std::size_t bytes() const { return sent_partitions * each; }
};
inline constexpr Halo kHalos[] = {
    {16, 16, 4096, Owner::User, Owner::Library},
    {1, 1, 64, Owner::User, Owner::Library},
    {16, 16, 1024, Owner::Library, Owner::User},
    {1, 1, 100'000, Owner::User, Owner::User},
    {16, 4, 500, Owner::Library, Owner::Library},
    {1, 16, 300 << 10, Owner::User, Owner::Library},  // more than is pushed
    {16, 1, 20'000, Owner::User, Owner::User},
};
inline const Halo& haloOf(std::size_t from, std::size_t to, std::size_t count) {
  return kHalos[(from * count + to) % std::size(kHalos)];
}
inline Tag haloTag(std::size_t from, std::size_t to) { return Tag{from << 8 | to}; }

/// So many iterations have ended when a process says "at".
inline constexpr std::uint64_t kAt = 20;
inline constexpr std::uint64_t kForEver = UINT64_MAX;

}  // namespace ucxx::core::test
