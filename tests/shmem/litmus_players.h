// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
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
  /// A test that takes longer, since others need the processors, has fewer rounds.
  std::chrono::nanoseconds most = std::chrono::milliseconds(150);
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
    const int rounds = team_ == SHMEM_TEAM_INVALID ? 0 : playRounds(play);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) judge(name, rounds);
    shmem_barrier_all();
  }

 private:
  template <class Play>
  int playRounds(const Play& play) const {
    const auto end = std::chrono::steady_clock::now() + litmus_.most;
    static int last_round;
    last_round = litmus_.rounds;
    shmem_team_sync(team_);
    for (int round = 1; round <= last_round; ++round) {
      const bool is_late = round % 64 == 0 && std::chrono::steady_clock::now() > end;
      if (is_late && shmem_my_pe() == 0) tellAll(last_round, round);
      shmem_team_sync(team_);
      parts_[round - 1] = play(shmem_my_pe(), round) ? 1 : 0;
    }
    return last_round;
  }
  /// Before a synchronisation: nobody has come to the end of that round.
  void tellAll(int& word, int round) const {
    for (int pe = 0; pe < size_; ++pe) shmem_int_p(&word, round, pe);
    shmem_quiet();
  }
  bool isForbidden(int round) const {
    for (int pe = 0; pe < size_; ++pe) {
      if (shmem_char_g(parts_ + round, pe) == 0) return false;
    }
    return true;
  }
  void judge(const char* name, int rounds) const {
    int forbidden = 0;
    for (int round = 0; round < rounds; ++round) forbidden += isForbidden(round) ? 1 : 0;
    if (litmus_.is_broken || forbidden != 0)
      std::printf("%-45s forbidden in %d of %d rounds\n", name, forbidden, rounds);
    CHECK(litmus_.is_broken || forbidden == 0);
  }

  int size_;
  const Litmus& litmus_;
  char* parts_;
  shmem_team_t team_ = SHMEM_TEAM_INVALID;
};

}  // namespace ucxx::test
