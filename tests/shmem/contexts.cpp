// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Contexts: options, teams, what each call does on them, many of them; sessions.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shmem/check.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::peOf;
using ucxx::test::SomeTeams;

constexpr long kAllOptions = SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE;

shmem_ctx_t createOn(shmem_team_t team, long options) {
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  CHECK_EQ(shmem_team_create_ctx(team, options, &context), 0);
  CHECK(context != SHMEM_CTX_INVALID);
  return context;
}

/// What the PEs of a team write into, in turn: each has a row of its own at each other one.
struct Board {
  static constexpr std::size_t kWords = 16;
  long* words = static_cast<long*>(
      shmem_calloc(static_cast<std::size_t>(shmem_n_pes()) * kWords, sizeof(long)));

  long* row(int pe) const { return words + static_cast<std::size_t>(pe) * kWords; }
};

void testPutsAndGets(shmem_ctx_t context, int to, const long* mine, long* row) {
  shmem_ctx_long_put(context, row, mine, 4, to);
  shmem_ctx_long_p(context, row + 4, mine[4], to);
  shmem_ctx_long_iput(context, row + 5, mine + 5, 2, 1, 2, to);
  shmem_ctx_long_ibput(context, row + 8, mine + 8, 3, 2, 2, 2, to);
  shmem_ctx_putmem_nbi(context, row + 15, mine + 15, sizeof(long), to);
  shmem_ctx_quiet(context);
  CHECK_EQ(shmem_ctx_long_g(context, row + 4, to), mine[4]);
  long there[Board::kWords] = {};
  shmem_ctx_long_get(context, there, row, Board::kWords, to);
  CHECK(std::equal(mine, mine + 5, there));
  CHECK_EQ(there[5], mine[5]);
  CHECK_EQ(there[7], mine[6]);
  CHECK(there[8] == mine[8] && there[9] == mine[9] && there[11] == mine[10] &&
        there[12] == mine[11]);
  CHECK_EQ(there[15], mine[15]);
  shmem_ctx_long_iget(context, there, row, 3, 2, 2, to);
  CHECK_EQ(there[3], mine[2]);
  shmem_ctx_long_ibget(context, there, row + 8, 2, 3, 2, 2, to);
  CHECK_EQ(there[2], mine[10]);
  shmem_ctx_get64_nbi(context, there, row + 15, 1, to);
  shmem_ctx_quiet(context);
  CHECK_EQ(there[0], mine[15]);
}

void testAtomics(shmem_ctx_t context, int to, const long* mine, long* row) {
  shmem_ctx_long_atomic_set(context, row, mine[0], to);
  CHECK_EQ(shmem_ctx_long_atomic_fetch_add(context, row, 5, to), mine[0]);
  CHECK_EQ(shmem_ctx_long_atomic_compare_swap(context, row, mine[0] + 5, 77, to), mine[0] + 5);
  shmem_ctx_long_atomic_inc(context, row, to);
  shmem_ctx_fence(context);
  long fetched = 0;
  shmem_ctx_long_atomic_fetch_nbi(context, &fetched, row, to);
  shmem_ctx_pe_quiet(context, &to, 1);
  CHECK_EQ(fetched, 78);
}

void testSignals(shmem_ctx_t context, int to, const long* mine, long* row) {
  auto* const signal = reinterpret_cast<std::uint64_t*>(row + 14);
  shmem_ctx_signal_set(context, signal, 3, to);
  shmem_ctx_long_put_signal(context, row + 10, mine + 10, 2, signal, 4, SHMEM_SIGNAL_ADD, to);
  shmem_ctx_long_put_signal_nbi(context, row + 12, mine + 12, 2, signal, 5, SHMEM_SIGNAL_ADD, to);
  shmem_ctx_signal_add(context, signal, 30, to);
  shmem_ctx_quiet(context);
  CHECK_EQ(shmem_ctx_long_g(context, row + 14, to), 42);
  CHECK_EQ(shmem_ctx_long_g(context, row + 13, to), mine[13]);
}

/// Every member writes to each one, by the numbers of the team.
void testAllCalls(shmem_ctx_t context, shmem_team_t team, const Board& board) {
  const int me = shmem_my_pe();
  for (int to = 0; to < shmem_team_n_pes(team); ++to) {
    long mine[Board::kWords];
    for (std::size_t i = 0; i < Board::kWords; ++i)
      mine[i] = 1000 * me + 100 * to + static_cast<long>(i) + 1;
    testPutsAndGets(context, to, mine, board.row(me));
    testAtomics(context, to, mine, board.row(me));
    testSignals(context, to, mine, board.row(me));
    CHECK_EQ(shmem_long_g(board.row(me) + 10, peOf(team, to)), mine[10]);
  }
}

void testOptions(const Board& board) {
  for (long options = 0; options <= kAllOptions; ++options) {
    shmem_ctx_t context = SHMEM_CTX_INVALID;
    CHECK_EQ(shmem_ctx_create(options, &context), 0);
    testAllCalls(context, SHMEM_TEAM_WORLD, board);
    shmem_ctx_destroy(context);
  }
}

void testTeamContexts(const Board& board) {
  const SomeTeams teams;
  teams.forEach([&](shmem_team_t team, std::size_t) {
    for (const long options : {0L, kAllOptions}) {
      const shmem_ctx_t context = createOn(team, options);
      testAllCalls(context, team, board);
      shmem_ctx_destroy(context);
    }
    shmem_team_sync(team);
  });
}

shmem_team_t teamOf(shmem_ctx_t context) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  CHECK_EQ(shmem_ctx_get_team(context, &team), 0);
  return team;
}

void testGetTeam() {
  CHECK(teamOf(SHMEM_CTX_DEFAULT) == SHMEM_TEAM_WORLD);
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  CHECK_EQ(shmem_ctx_create(0, &context), 0);
  CHECK(teamOf(context) == SHMEM_TEAM_WORLD);
  shmem_ctx_destroy(context);
  const SomeTeams teams;
  teams.forEach([](shmem_team_t team, std::size_t) {
    const shmem_ctx_t on_team = createOn(team, 0);
    CHECK_EQ(shmem_team_n_pes(teamOf(on_team)), shmem_team_n_pes(team));
    CHECK_EQ(shmem_team_translate_pe(teamOf(on_team), 0, SHMEM_TEAM_WORLD), peOf(team, 0));
    shmem_ctx_destroy(on_team);
  });
}

void testInvalidHandles() {
  shmem_team_t team = SHMEM_TEAM_WORLD;
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0);
  CHECK(team == SHMEM_TEAM_INVALID);
  shmem_ctx_t context = SHMEM_CTX_DEFAULT;
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &context) != 0);
  CHECK(context == SHMEM_CTX_INVALID);
  shmem_ctx_destroy(SHMEM_CTX_INVALID);
  shmem_ctx_fence(SHMEM_CTX_INVALID);
  shmem_ctx_quiet(SHMEM_CTX_INVALID);
  shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, nullptr, 0);
  shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, nullptr, 0);
  shmem_ctx_session_stop(SHMEM_CTX_INVALID);
}

/// Not collective: each PE makes as many as it likes.
void testManyAtOnce(const Board& board) {
  constexpr int kContexts = 10'000;
  std::vector<shmem_ctx_t> contexts;
  for (int count = 0; count < kContexts + shmem_my_pe(); ++count)
    contexts.push_back(createOn(count % 2 == 0 ? SHMEM_TEAM_WORLD : SHMEM_TEAM_SHARED, count % 8));
  auto sorted = contexts;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  for (const shmem_ctx_t context : contexts)
    shmem_ctx_long_atomic_inc(context, board.row(shmem_my_pe()), next);
  for (std::size_t at = 0; at < contexts.size(); at += 2) shmem_ctx_destroy(contexts[at]);
  for (std::size_t at = 1; at < contexts.size(); at += 2) shmem_ctx_destroy(contexts[at]);
  CHECK_EQ(shmem_long_g(board.row(shmem_my_pe()), next), kContexts + shmem_my_pe());
}

void testManyInTurn(const Board& board) {
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  for (long count = 1; count <= 10'000; ++count) {
    const shmem_ctx_t context = createOn(SHMEM_TEAM_WORLD, count % 8);
    shmem_ctx_long_p(context, board.row(me) + 1, count, next);
    shmem_ctx_destroy(context);  // which completes it
    CHECK_EQ(shmem_long_g(board.row(me) + 1, next), count);
  }
}

/// Shareable ones need not be destroyed.
void testDestroyedWithTeam() {
  for (int time = 0; time < 20; ++time) {
    const shmem_team_t team = ucxx::test::splitTeam(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes());
    for (int count = 0; count < 50; ++count)
      createOn(team, count % 2 == 0 ? 0 : SHMEM_CTX_SERIALIZED);
    shmem_team_destroy(team);
  }
}

void testSession(shmem_ctx_t context, long* word) {
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  const shmem_ctx_session_config_t config{100};
  shmem_ctx_session_stop(context);
  shmem_ctx_session_start(context, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
  shmem_ctx_session_start(context, 0, nullptr, 0);
  for (long value = 0; value < 300; ++value) shmem_ctx_long_p(context, word, value, next);
  shmem_ctx_quiet(context);
  CHECK_EQ(shmem_ctx_long_g(context, word, next), 299);
  shmem_ctx_session_stop(context);
  shmem_ctx_long_p(context, word, 7, next);
  shmem_ctx_quiet(context);
  CHECK_EQ(shmem_ctx_long_g(context, word, next), 7);
}

void testSessions(const Board& board) {
  testSession(SHMEM_CTX_DEFAULT, board.row(shmem_my_pe()));
  const shmem_ctx_t context = createOn(SHMEM_TEAM_WORLD, SHMEM_CTX_PRIVATE);
  testSession(context, board.row(shmem_my_pe()));
  shmem_ctx_session_start(context, SHMEM_CTX_SESSION_BATCH, nullptr, 0);
  shmem_ctx_destroy(context);
}

}  // namespace

int main() {
  shmem_init();
  Board board;
  testOptions(board);
  testTeamContexts(board);
  testGetTeam();
  testInvalidHandles();
  shmem_free(board.words);
  board = {};
  testManyAtOnce(board);
  testManyInTurn(board);
  testDestroyedWithTeam();
  testSessions(board);
  createOn(SHMEM_TEAM_WORLD, 0);  // destroyed by finalize
  shmem_finalize();
}
