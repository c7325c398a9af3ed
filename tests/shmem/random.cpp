// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Random programs of puts, gets, atomic operations, waits, locks and collectives against a
// sequential model, which each PE computes from the same seed.
//
//     random [SEED] [SEEDS]     200 seeds from 1 on; SEED alone: that one
#include <csignal>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "shmem/random_accesses.h"
#include "shmem/random_collectives.h"
#include "shmem/random_game.h"
#include "shmem/random_messages.h"

namespace {

using ucxx::test::Game;
using ucxx::test::Messages;
using ucxx::test::Notices;
using ucxx::test::Teams;
using ucxx::test::Ways;

constexpr int kPhases = 24;
constexpr unsigned kMostSeconds = 20;  // for a seed that hangs

std::string hangs;  // what the handler writes

void sayThatItHangs(int) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, hangs.data(), hangs.size());
  ::_exit(1);
}

void playPhase(Game& game, const Teams& teams) {
  switch (game.random.below(6)) {
    case 0:
      return Messages(game).passOn();
    case 1:
      return Messages(game).gather();
    case 2:
      return Messages(game).lock();
    case 3:
      return callCollectives(game, teams);
    default:
      return accessMemory(game);
  }
}

void play(std::uint64_t seed, const Ways& ways, const Teams& teams, const Game::Memory& memory) {
  hangs = "random: seed " + std::to_string(seed) + " hangs\n";
  ::alarm(kMostSeconds);
  Game game(seed, ways, memory);
  for (int phase = 0; phase < kPhases; ++phase) playPhase(game, teams);
  ::alarm(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : argc > 1 ? 1 : 200;
  std::signal(SIGALRM, sayThatItHangs);
  shmem_init();
  {
    const Ways ways;
    const Teams teams;
    const Game::Memory memory;
    Notices::begin();
    for (std::uint64_t seed = first; seed < first + count; ++seed) play(seed, ways, teams, memory);
    Notices::end();
  }
  shmem_finalize();
}
