// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdio>
#include <thread>

#include "shmem/check.h"

// The frame of a litmus test: some PEs act at the same time, in many rounds.

namespace ucxx::test {

/// Of who looks again and again at what another PE will write: that may need this processor.
class Patience {
 public:
  void lose() {
    if (++looks_ % 1000 == 0) std::this_thread::yield();
  }

 private:
  int looks_ = 0;
};

/// How the tests of a program run.
struct Litmus {
  int rounds = 10'000;
  /// Forbidden outcomes are counted, and no failure.
  bool is_broken = false;
};

/// The first PEs, which play; the others wait for the end. Owner: a program that keeps `litmus`.
class Players {
 public:
  Players(int size, const Litmus& litmus)
      : size_(size),
        litmus_(litmus),
        parts_(static_cast<char*>(shmem_malloc(static_cast<std::size_t>(litmus.rounds)))) {
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, nullptr, 0, &team_), 0);
  }
  ~Players() {
    shmem_team_destroy(team_);
    shmem_free(parts_);
  }
  Players(const Players&) = delete;
  Players& operator=(const Players&) = delete;

  /// `play(me, round)` says whether this PE has seen its part of the outcome that is forbidden; it
  /// is the outcome of a round if all have. Who sees nothing says true. Rounds count from 1.
  template <class Play>
  void run(const char* name, const Play& play) const {
    shmem_barrier_all();
    if (team_ != SHMEM_TEAM_INVALID) playRounds(play);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) judge(name);
    shmem_barrier_all();
  }

 private:
  template <class Play>
  void playRounds(const Play& play) const {
    shmem_team_sync(team_);
    for (int round = 1; round <= litmus_.rounds; ++round) {
      shmem_team_sync(team_);
      parts_[round - 1] = play(shmem_my_pe(), round) ? 1 : 0;
    }
  }
  bool isForbidden(int round) const {
    for (int pe = 0; pe < size_; ++pe) {
      if (shmem_char_g(parts_ + round, pe) == 0) return false;
    }
    return true;
  }
  void judge(const char* name) const {
    int forbidden = 0;
    for (int round = 0; round < litmus_.rounds; ++round) forbidden += isForbidden(round) ? 1 : 0;
    if (litmus_.is_broken || forbidden != 0)
      std::printf("%-45s forbidden in %d of %d rounds\n", name, forbidden, litmus_.rounds);
    CHECK(litmus_.is_broken || forbidden == 0);
  }

  int size_;
  const Litmus& litmus_;
  char* parts_;
  shmem_team_t team_ = SHMEM_TEAM_INVALID;
};

}  // namespace ucxx::test
