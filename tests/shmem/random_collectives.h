// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "shmem/random_game.h"

// Collectives of a random program, on teams, one behind the other without other synchronisation.

namespace ucxx::test {

/// The collectives of one type of integers.
template <class T>
struct CollectiveCalls {
  using Joining = int(shmem_team_t, T*, const T*, std::size_t);

  int (*broadcast)(shmem_team_t, T*, const T*, std::size_t, int);
  Joining *collect, *fcollect, *alltoall;
  int (*alltoalls)(shmem_team_t, T*, const T*, std::ptrdiff_t, std::ptrdiff_t, std::size_t);
  Joining *max, *min, *sum, *prod, *inscan, *exscan;
  Joining *bit_and, *bit_or, *bit_xor;
};

#define COLLECTIVE_CALLS(name, T)                                                         \
  ucxx::test::CollectiveCalls<T> {                                                        \
    shmem_##name##_broadcast, shmem_##name##_collect, shmem_##name##_fcollect,            \
        shmem_##name##_alltoall, shmem_##name##_alltoalls, shmem_##name##_max_reduce,     \
        shmem_##name##_min_reduce, shmem_##name##_sum_reduce, shmem_##name##_prod_reduce, \
        shmem_##name##_sum_inscan, shmem_##name##_sum_exscan, shmem_##name##_and_reduce,  \
        shmem_##name##_or_reduce, shmem_##name##_xor_reduce                               \
  }

/// A team, and its members in order.
struct Members {
  shmem_team_t team;
  std::vector<int> pes;
};

/// One collective of elements of a type, in a place of its own in both segments.
template <class T>
class Collective {
 public:
  static constexpr std::size_t kPlace = Game::kBytes / 4;

  Collective(Game& game, const CollectiveCalls<T>& calls, const Members& members, std::size_t place)
      : game_(game), random_(game.random), calls_(calls), members_(members) {
    const std::size_t first = place * kPlace;
    source_ = {random_.below(Game::kSegments), 0, first, kPlace / 2};
    dest_ = {random_.below(Game::kSegments), 0, first + kPlace / 2, kPlace / 2};
  }

  void run() {
    switch (random_.below(7)) {
      case 0:
        return broadcast();
      case 1:
        return collect();
      case 2:
        return fcollect();
      case 3:
        return alltoall();
      case 4:
        return alltoalls();
      default:
        return combine();
    }
  }

 private:
  using Values = std::vector<T>;

  std::size_t size() const { return members_.pes.size(); }
  bool isMember() const {
    return std::find(members_.pes.begin(), members_.pes.end(), game_.me) != members_.pes.end();
  }
  T* address(const Region& region) const { return reinterpret_cast<T*>(game_.address(region)); }
  T* model(Region region, std::size_t member) {
    region.pe = members_.pes[member];
    return reinterpret_cast<T*>(game_.model(region));
  }
  Values sourceOf(std::size_t member, std::size_t count) {
    const T* const first = model(source_, member);
    return Values(first, first + count);
  }
  std::size_t someElements(std::size_t most) {
    return random_.oneIn(8) ? 0 : random_.below(most + 1);
  }
  static constexpr std::size_t kMost = kPlace / 2 / sizeof(T);

  /// Calls it where this PE is a member; on return dest is complete there.
  template <class Call>
  void call(const Call& call) {
    if (!isMember()) return;
    game_.require(call() == 0, "result of a collective");
    Region mine = dest_;
    mine.pe = game_.me;
    game_.requireAsExpected(mine, game_.address(mine), "result of a collective on return");
  }
  void store(std::size_t member, const Values& values) {
    std::copy(values.begin(), values.end(), model(dest_, member));
  }

  void broadcast() {
    const std::size_t count = someElements(kMost), root = random_.below(size());
    for (std::size_t i = 0; i < size(); ++i) store(i, sourceOf(root, count));
    call([&] {
      return calls_.broadcast(members_.team, address(dest_), address(source_), count,
                              static_cast<int>(root));
    });
  }

  void join(const std::vector<std::size_t>& counts, typename CollectiveCalls<T>::Joining* joining) {
    Values joined;
    std::size_t own = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const Values part = sourceOf(i, counts[i]);
      joined.insert(joined.end(), part.begin(), part.end());
      if (members_.pes[i] == game_.me) own = counts[i];
    }
    for (std::size_t i = 0; i < size(); ++i) store(i, joined);
    call([&] { return joining(members_.team, address(dest_), address(source_), own); });
  }
  void collect() {
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < size(); ++i) counts.push_back(someElements(kMost / size()));
    join(counts, calls_.collect);
  }
  void fcollect() {
    join(std::vector<std::size_t>(size(), someElements(kMost / size())), calls_.fcollect);
  }

  void alltoall() {
    const std::size_t count = someElements(kMost / size());
    exchange(count, 1, 1);
    call([&] { return calls_.alltoall(members_.team, address(dest_), address(source_), count); });
  }
  void alltoalls() {
    const std::size_t to = random_.between(1, 3), from = random_.between(1, 3);
    const std::size_t count = someElements(kMost / size() / std::max(to, from));
    exchange(count, to, from);
    call([&] {
      return calls_.alltoalls(members_.team, address(dest_), address(source_),
                              static_cast<std::ptrdiff_t>(to), static_cast<std::ptrdiff_t>(from),
                              count);
    });
  }
  void exchange(std::size_t count, std::size_t to, std::size_t from) {
    for (std::size_t sender = 0; sender < size(); ++sender) {
      for (std::size_t receiver = 0; receiver < size(); ++receiver) {
        for (std::size_t i = 0; i < count; ++i)
          model(dest_, receiver)[(sender * count + i) * to] =
              model(source_, sender)[(receiver * count + i) * from];
      }
    }
  }

  static T sum(T a, T b) { return static_cast<T>(std::uint64_t(a) + std::uint64_t(b)); }
  static T product(T a, T b) { return static_cast<T>(std::uint64_t(a) * std::uint64_t(b)); }

  /// Reductions and scans, also in place.
  void combine() {
    if (random_.oneIn(3)) dest_ = source_;
    const std::size_t count = someElements(kMost);
    switch (random_.below(9)) {
      case 0:
        return reduce(count, calls_.max, [](T a, T b) { return std::max(a, b); });
      case 1:
        return reduce(count, calls_.min, [](T a, T b) { return std::min(a, b); });
      case 2:
        return reduce(count, calls_.sum, sum);
      case 3:
        return reduce(count, calls_.prod, product);
      case 4:
        return reduce(count, calls_.bit_and, [](T a, T b) { return static_cast<T>(a & b); });
      case 5:
        return reduce(count, calls_.bit_or, [](T a, T b) { return static_cast<T>(a | b); });
      case 6:
        return reduce(count, calls_.bit_xor, [](T a, T b) { return static_cast<T>(a ^ b); });
      case 7:
        return scan(count, calls_.inscan, true);
      default:
        return scan(count, calls_.exscan, false);
    }
  }
  template <class Operator>
  void reduce(std::size_t count, typename CollectiveCalls<T>::Joining* reduction,
              const Operator& combined) {
    Values result = sourceOf(0, count);
    for (std::size_t i = 1; i < size(); ++i) {
      const Values more = sourceOf(i, count);
      std::transform(result.begin(), result.end(), more.begin(), result.begin(), combined);
    }
    for (std::size_t i = 0; i < size(); ++i) store(i, result);
    call([&] { return reduction(members_.team, address(dest_), address(source_), count); });
  }
  void scan(std::size_t count, typename CollectiveCalls<T>::Joining* scan, bool is_inclusive) {
    Values before(count, T{0});
    for (std::size_t i = 0; i < size(); ++i) {
      Values with = sourceOf(i, count);
      std::transform(with.begin(), with.end(), before.begin(), with.begin(), sum);
      store(i, is_inclusive ? with : before);
      before = with;
    }
    call([&] { return scan(members_.team, address(dest_), address(source_), count); });
  }

  Game& game_;
  Random& random_;
  const CollectiveCalls<T>& calls_;
  const Members& members_;
  Region source_, dest_;
};

/// The teams of a random program, for as long as it lives. Collective.
class Teams {
 public:
  Teams() {
    const int pes = shmem_n_pes();
    all_.push_back({SHMEM_TEAM_WORLD, sequence(0, 1, pes)});
    add(pes - 1, -1, pes);
    add(0, 2, (pes + 1) / 2);
    add(pes / 2, -1, pes / 2 + 1);
  }
  ~Teams() {
    for (std::size_t i = 1; i < all_.size(); ++i) shmem_team_destroy(all_[i].team);
  }
  Teams(const Teams&) = delete;
  Teams& operator=(const Teams&) = delete;
  const std::vector<Members>& all() const { return all_; }

 private:
  static std::vector<int> sequence(int start, int stride, int size) {
    std::vector<int> result;
    for (int i = 0; i < size; ++i) result.push_back(start + i * stride);
    return result;
  }
  void add(int start, int stride, int size) {
    shmem_team_t team = SHMEM_TEAM_INVALID;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, nullptr, 0, &team), 0);
    all_.push_back({team, sequence(start, stride, size)});
  }

  std::vector<Members> all_;
};

inline void callCollective(Game& game, const Members& members, std::size_t place) {
  static const auto bytes = COLLECTIVE_CALLS(uint8, std::uint8_t);
  static const auto shorts = COLLECTIVE_CALLS(int16, std::int16_t);
  static const auto ints = COLLECTIVE_CALLS(uint32, std::uint32_t);
  static const auto longs = COLLECTIVE_CALLS(int64, std::int64_t);
  switch (game.random.below(4)) {
    case 0:
      return Collective(game, bytes, members, place).run();
    case 1:
      return Collective(game, shorts, members, place).run();
    case 2:
      return Collective(game, ints, members, place).run();
    default:
      return Collective(game, longs, members, place).run();
  }
}

inline void callCollectives(Game& game, const Teams& teams) {
  game.beginPhase("collectives");
  const std::size_t count = game.random.between(1, 4);
  for (std::size_t place = 0; place < count; ++place)
    callCollective(game, game.random.oneOf(teams.all()), place);
  game.endPhase();
}

}  // namespace ucxx::test
