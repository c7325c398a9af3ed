// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Collectives that move data: each function, on each of some teams, from each root, with few
// elements.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "shmem/check.h"
#include "shmem/some_teams.h"
#include "shmem/types.h"

namespace {

using ucxx::test::peOf;
using ucxx::test::SomeTeams;

constexpr std::size_t kArenaBytes = std::size_t{1} << 17;

/// Symmetric memory for what others write into, of each index of a team, and for sources.
std::byte* dest_arena = nullptr;
std::byte* source_arena = nullptr;

/// The functions of one type.
template <class T>
struct Calls {
  int (*broadcast)(shmem_team_t, T*, const T*, std::size_t, int);
  int (*collect)(shmem_team_t, T*, const T*, std::size_t);
  int (*fcollect)(shmem_team_t, T*, const T*, std::size_t);
  int (*alltoall)(shmem_team_t, T*, const T*, std::size_t);
  int (*alltoalls)(shmem_team_t, T*, const T*, std::ptrdiff_t, std::ptrdiff_t, std::size_t);
};

/// Where a team's calls go.
template <class T>
struct Place {
  shmem_team_t team;
  std::size_t index;
  int me = shmem_team_my_pe(team), size = shmem_team_n_pes(team);

  static constexpr std::size_t kGuard = 5;
  static constexpr int kUntouched = 99;

  T* dest() const { return reinterpret_cast<T*>(dest_arena + index * kArenaBytes) + kGuard; }
  T* source() const { return reinterpret_cast<T*>(source_arena + index * kArenaBytes); }
};

/// Below 99. `salt` tells calls from each other.
template <class T>
T valueOf(int member, std::size_t at, std::size_t salt) {
  return static_cast<T>((static_cast<std::size_t>(member) * 13 + at * 7 + salt * 3) % 97);
}

template <class T>
void fillSource(const Place<T>& place, std::size_t count, std::size_t salt) {
  for (std::size_t at = 0; at < count; ++at) place.source()[at] = valueOf<T>(place.me, at, salt);
}

/// Nobody writes into dest before all have done this.
template <class T>
void prepareDest(const Place<T>& place, std::size_t count) {
  std::fill_n(place.dest() - place.kGuard, count + 2 * place.kGuard,
              static_cast<T>(place.kUntouched));
  CHECK_EQ(shmem_team_sync(place.team), 0);
}

/// Nothing but these elements has been written.
template <class T>
void checkDest(const Place<T>& place, const std::vector<T>& expected) {
  const T* const dest = place.dest();
  for (std::size_t at = 0; at < expected.size(); ++at) CHECK_EQ(dest[at], expected[at]);
  for (std::size_t at = 1; at <= place.kGuard; ++at) {
    CHECK_EQ(dest[-static_cast<std::ptrdiff_t>(at)], static_cast<T>(place.kUntouched));
    CHECK_EQ(dest[expected.size() + at - 1], static_cast<T>(place.kUntouched));
  }
}

template <class T>
void testBroadcast(const Calls<T>& calls, const Place<T>& place, std::size_t count) {
  for (int root = 0; root < place.size; ++root) {
    fillSource(place, count, 1);
    prepareDest(place, count);
    CHECK_EQ(calls.broadcast(place.team, place.dest(), place.source(), count, root), 0);
    std::vector<T> expected;
    for (std::size_t at = 0; at < count; ++at) expected.push_back(valueOf<T>(root, at, 1));
    checkDest(place, expected);
  }
}

template <class T>
void testFcollect(const Calls<T>& calls, const Place<T>& place, std::size_t count) {
  fillSource(place, count, 2);
  prepareDest(place, count * static_cast<std::size_t>(place.size));
  CHECK_EQ(calls.fcollect(place.team, place.dest(), place.source(), count), 0);
  std::vector<T> expected;
  for (int member = 0; member < place.size; ++member) {
    for (std::size_t at = 0; at < count; ++at) expected.push_back(valueOf<T>(member, at, 2));
  }
  checkDest(place, expected);
}

std::size_t unequalCount(int member, std::size_t most) {
  return most == 0 ? 0 : (static_cast<std::size_t>(member) * 5 + 2) % (most + 1);
}

template <class T>
void testCollect(const Calls<T>& calls, const Place<T>& place, std::size_t most) {
  const std::size_t own = unequalCount(place.me, most);
  fillSource(place, own, 3);
  prepareDest(place, most * static_cast<std::size_t>(place.size));
  CHECK_EQ(calls.collect(place.team, place.dest(), place.source(), own), 0);
  std::vector<T> expected;
  for (int member = 0; member < place.size; ++member) {
    for (std::size_t at = 0; at < unequalCount(member, most); ++at)
      expected.push_back(valueOf<T>(member, at, 3));
  }
  checkDest(place, expected);
}

template <class T>
void testAlltoall(const Calls<T>& calls, const Place<T>& place, std::size_t count) {
  const std::size_t total = count * static_cast<std::size_t>(place.size);
  fillSource(place, total, 4);
  prepareDest(place, total);
  CHECK_EQ(calls.alltoall(place.team, place.dest(), place.source(), count), 0);
  std::vector<T> expected;
  for (int member = 0; member < place.size; ++member) {
    for (std::size_t at = 0; at < count; ++at)
      expected.push_back(valueOf<T>(member, static_cast<std::size_t>(place.me) * count + at, 4));
  }
  checkDest(place, expected);
}

struct Strides {
  std::ptrdiff_t dest, source;
};

/// What lies between the elements is not written.
template <class T>
void testAlltoalls(const Calls<T>& calls, const Place<T>& place, std::size_t count,
                   const Strides& strides) {
  const std::size_t total = count * static_cast<std::size_t>(place.size);
  const auto to = static_cast<std::size_t>(strides.dest),
             from = static_cast<std::size_t>(strides.source);
  fillSource(place, total * from, 5);
  prepareDest(place, total * to);
  CHECK_EQ(calls.alltoalls(place.team, place.dest(), place.source(), strides.dest, strides.source,
                           count),
           0);
  std::vector<T> expected(total * to, static_cast<T>(place.kUntouched));
  for (std::size_t element = 0; element < total; ++element) {
    const std::size_t member = element / count,
                      at = static_cast<std::size_t>(place.me) * count + element % count;
    expected[element * to] = valueOf<T>(static_cast<int>(member), at * from, 5);
  }
  checkDest(place, expected);
}

/// Nothing needs no memory.
template <class T>
void testNothing(const Calls<T>& calls, shmem_team_t team) {
  CHECK_EQ(calls.broadcast(team, nullptr, nullptr, 0, 0), 0);
  CHECK_EQ(calls.collect(team, nullptr, nullptr, 0), 0);
  CHECK_EQ(calls.fcollect(team, nullptr, nullptr, 0), 0);
  CHECK_EQ(calls.alltoall(team, nullptr, nullptr, 0), 0);
  CHECK_EQ(calls.alltoalls(team, nullptr, nullptr, 1, 1, 0), 0);
}

template <class T>
void testCalls(const Calls<T>& calls, const SomeTeams& teams) {
  teams.forEach([&](shmem_team_t team, std::size_t index) {
    const Place<T> place{team, index};
    for (const std::size_t count : {0, 1, 7, 40}) {
      testBroadcast(calls, place, count);
      testFcollect(calls, place, count);
      testCollect(calls, place, count);
      testAlltoall(calls, place, count);
      for (const Strides& strides : {Strides{1, 1}, Strides{2, 1}, Strides{1, 3}, Strides{3, 2}})
        testAlltoalls(calls, place, count, strides);
    }
    testNothing(calls, team);
  });
}

// The forms without a type: their elements are bytes.
template <auto Function>
int onBytes(shmem_team_t team, unsigned char* dest, const unsigned char* source,
            std::size_t count) {
  return Function(team, dest, source, count);
}
int broadcastBytes(shmem_team_t team, unsigned char* dest, const unsigned char* source,
                   std::size_t count, int root) {
  return shmem_broadcastmem(team, dest, source, count, root);
}
int alltoallsBytes(shmem_team_t team, unsigned char* dest, const unsigned char* source,
                   std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t count) {
  return shmem_alltoallsmem(team, dest, source, dst, sst, count);
}
constexpr Calls<unsigned char> kBytes{broadcastBytes, onBytes<shmem_collectmem>,
                                      onBytes<shmem_fcollectmem>, onBytes<shmem_alltoallmem>,
                                      alltoallsBytes};

void testAllTypes(const SomeTeams& teams) {
#define TEST(name, T)                                                                           \
  testCalls(Calls<T>{shmem_##name##_broadcast, shmem_##name##_collect, shmem_##name##_fcollect, \
                     shmem_##name##_alltoall, shmem_##name##_alltoalls},                        \
            teams);
  FOR_RMA_TYPES(TEST)
#undef TEST
}

void testAll() {
  const SomeTeams teams;
  testAllTypes(teams);
  testCalls(kBytes, teams);
}

}  // namespace

int main() {
  shmem_init();
  dest_arena = static_cast<std::byte*>(shmem_malloc(SomeTeams::kCount * kArenaBytes));
  source_arena = static_cast<std::byte*>(shmem_malloc(SomeTeams::kCount * kArenaBytes));
  testAll();
  shmem_finalize();
}
