// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "shmem/contexts.h"

// A random program and its model. All PEs draw the same numbers, so each knows what all of them do:
// it makes the calls that are its own, and changes the model for those of all.

namespace ucxx::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t word() { return engine_(); }
  /// 0 to n - 1.
  std::size_t below(std::size_t n) { return engine_() % n; }
  std::size_t between(std::size_t least, std::size_t most) {
    return least + below(most - least + 1);
  }
  bool oneIn(std::size_t n) { return below(n) == 0; }
  template <class Container>
  auto& oneOf(Container& container) {
    return container[below(std::size(container))];
  }
  /// 0 to n - 1 in any order.
  std::vector<int> permutation(int n) {
    std::vector<int> result(static_cast<std::size_t>(n));
    std::iota(result.begin(), result.end(), 0);
    for (std::size_t i = result.size(); i > 1; --i) std::swap(result[i - 1], result[below(i)]);
    return result;
  }
  std::vector<std::byte> bytes(std::size_t count) {
    std::vector<std::byte> result(count);
    for (std::size_t i = 0; i < count; i += sizeof(std::uint64_t)) {
      const std::uint64_t value = word();
      std::memcpy(&result[i], &value, std::min(sizeof value, count - i));
    }
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

/// Part of the memory of a PE.
struct Region {
  std::size_t segment;  ///< 0: heap, 1: statics
  int pe;
  std::size_t first, bytes;

  Region part(std::size_t offset, std::size_t count) const {
    return {segment, pe, first + offset, count};
  }
};

/// The memory that the program plays with, that of all PEs as it ought to be, and the random
/// numbers.
class Game {
 public:
  static constexpr std::size_t kBytes = 16384;  // of each segment
  static constexpr std::size_t kSegments = 2;
  using Memory = Areas<kBytes>;

  Game(std::uint64_t seed, const Ways& ways, const Memory& memory)
      : random(seed), ways_(ways), segments_(memory.all()), seed_(seed) {
    for (auto& segment : model_) {
      for (int pe = 0; pe < pes; ++pe) segment.push_back(random.bytes(kBytes));
    }
    for (std::size_t i = 0; i < kSegments; ++i)
      std::copy_n(model_[i][static_cast<std::size_t>(me)].data(), kBytes, segments_[i]);
    shmem_barrier_all();
  }

  Random random;
  const int me = shmem_my_pe(), pes = shmem_n_pes();

  /// The symmetric address.
  std::byte* address(const Region& region) const {
    return segments_[region.segment] + region.first;
  }
  /// What ought to be there.
  std::byte* model(const Region& region) {
    return model_[region.segment][static_cast<std::size_t>(region.pe)].data() + region.first;
  }
  std::vector<std::byte> expected(const Region& region) {
    return {model(region), model(region) + region.bytes};
  }
  int anyPe() { return static_cast<int>(random.below(static_cast<std::size_t>(pes))); }

  /// Some PEs, in any order.
  std::vector<int> somePes() {
    std::vector<int> result = random.permutation(pes);
    result.resize(random.between(1, std::min<std::size_t>(result.size(), 4)));
    return result;
  }

  /// A context on which that PE can reach the other one.
  const Way& anyWay(int actor, int target) {
    std::vector<const Way*> possible;
    ways_.forEach([&](const Way& way) {
      if (way.numberOf(actor) >= 0 && way.numberOf(target) >= 0) possible.push_back(&way);
    });
    return *random.oneOf(possible);
  }

  void beginPhase(const char* name) {
    phase_name_ = name;
    ++phase_;
  }
  /// All PEs have done their part of the phase; then each looks at all of its memory.
  void endPhase() {
    ways_.forEach([](const Way& way) {
      if (way.hasMe()) way.quiet();
    });
    synchronise(random.below(3));
    for (std::size_t segment = 0; segment < kSegments; ++segment)
      requireAsExpected({segment, me, 0, kBytes}, segments_[segment], "memory after the phase");
    shmem_barrier_all();
  }

  void requireAsExpected(const Region& region, const void* seen, const char* what) {
    if (region.bytes == 0 || std::memcmp(model(region), seen, region.bytes) == 0) return;
    const auto* const bytes = static_cast<const std::byte*>(seen);
    const auto difference = std::mismatch(bytes, bytes + region.bytes, model(region)).first - bytes;
    std::fprintf(stderr, "  segment %zu of PE %d, byte %zu + %td\n", region.segment, region.pe,
                 region.first, difference);
    require(false, what);
  }
  void require(bool condition, const char* what) const {
    if (condition) return;
    std::fprintf(stderr,
                 "random: PE %d of %d: wrong %s; seed %llu, phase %d (%s); again: random %llu\n",
                 me, pes, what, static_cast<unsigned long long>(seed_), phase_, phase_name_,
                 static_cast<unsigned long long>(seed_));
    shmem_global_exit(1);
  }

 private:
  static void synchronise(std::size_t how) {
    if (how == 0) return shmem_barrier_all();
    if (how == 1) return shmem_sync_all();
    CHECK_EQ(shmem_team_sync(SHMEM_TEAM_WORLD), 0);
  }

  const Ways& ways_;
  std::array<std::byte*, kSegments> segments_;
  std::array<std::vector<std::vector<std::byte>>, kSegments> model_;
  std::uint64_t seed_;
  int phase_ = 0;
  const char* phase_name_ = "";
};

}  // namespace ucxx::test
