// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <thread>
#include <vector>

#include "shmem/random_game.h"
#include "shmem/wait_calls.h"

// Signals, waits and locks of a random program: a message that goes from PE to PE, messages of all
// to one, words that only the holder of a lock changes.

namespace ucxx::test {

/// Words of this PE that others write to say that something has come. They only grow.
struct Notices {
  static constexpr std::size_t kMostPes = 64;
  using Row = std::array<std::uint64_t, kMostPes>;  // one for each sender

  /// In the heap or in statics.
  static Row& row(std::size_t segment) { return segment == 0 ? *heap : statics; }
  static void begin() { heap = static_cast<Row*>(shmem_calloc(1, sizeof(Row))); }
  static void end() { shmem_free(heap); }

  inline static Row* heap = nullptr;
  inline static Row statics{};
};

/// A part of the memory of each PE, and how it is written, told and awaited.
class Messages {
 public:
  explicit Messages(Game& game) : game_(game), random_(game.random) {}

  /// Each PE that the message comes to looks whether it is right, also where it came from.
  void passOn() {
    game_.beginPhase("message from PE to PE");
    const std::vector<int> order = random_.permutation(game_.pes);
    const std::size_t segment = random_.below(Game::kSegments);
    Region last{};
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const Region region = someRegion(order[i + 1]);
      send(order[i], region, segment);
      if (game_.me == region.pe) receive(order[i], region, segment);
      if (game_.me == region.pe && i > 0) readBack(last);
      last = region;
    }
    game_.endPhase();
  }

  /// Messages of all to one PE, which takes them as they come.
  void gather() {
    game_.beginPhase("messages to one PE");
    const int root = game_.anyPe();
    const std::size_t segment = random_.below(Game::kSegments), how = random_.below(6);
    const std::size_t part = Game::kBytes / static_cast<std::size_t>(game_.pes);
    std::vector<Region> regions;
    for (int pe = 0; pe < game_.pes; ++pe) {
      const std::size_t bytes = random_.below(std::min<std::size_t>(part, 400));
      regions.push_back({segment, root, static_cast<std::size_t>(pe) * part, bytes});
      send(pe, regions.back(), segment);
    }
    if (game_.me == root) takeAll(regions, segment, how);
    game_.endPhase();
  }

  /// Words that each PE reads and writes, and that are added to in the end.
  void lock() {
    static std::array<long, 4> locks{};
    game_.beginPhase("locks");
    const Region word{random_.below(Game::kSegments), game_.anyPe(), 8 * random_.below(100), 8};
    const std::size_t which = random_.below(locks.size());
    auto* const address = reinterpret_cast<std::uint64_t*>(game_.address(word));
    for (int pe = 0; pe < game_.pes; ++pe) {
      for (std::size_t left = random_.below(5); left > 0; --left) {
        const std::uint64_t more = random_.word();
        addToModel(word, more);
        if (game_.me != pe) continue;
        shmem_set_lock(&locks[which]);
        shmem_uint64_p(address, shmem_uint64_g(address, word.pe) + more, word.pe);
        shmem_clear_lock(&locks[which]);
      }
    }
    game_.endPhase();
  }

 private:
  Region someRegion(int pe) {
    const std::size_t bytes = random_.below(500);
    return {random_.below(Game::kSegments), pe, random_.below(Game::kBytes - bytes), bytes};
  }
  void addToModel(const Region& word, std::uint64_t more) {
    std::uint64_t value = 0;
    std::memcpy(&value, game_.model(word), sizeof value);
    value += more;
    std::memcpy(game_.model(word), &value, sizeof value);
  }

  /// What the notice of a sender will be, for the next message. Each PE counts for all.
  std::uint64_t& noticeFor(int from, int to, std::size_t segment) {
    const auto pes = static_cast<std::size_t>(game_.pes);
    counts.resize(Game::kSegments * pes * pes);
    return counts[(segment * pes + static_cast<std::size_t>(from)) * pes +
                  static_cast<std::size_t>(to)];
  }

  void send(int from, const Region& region, std::size_t segment) {
    const std::vector<std::byte> source = random_.bytes(region.bytes);
    const std::size_t how = random_.below(7);
    const std::uint64_t value = ++noticeFor(from, region.pe, segment);
    const Way& way = game_.anyWay(from, region.pe);
    if (game_.me == from) {
      write(way, region, source, &Notices::row(segment)[static_cast<std::size_t>(from)], value,
            how);
      way.quiet();  // before `source` ends
    }
    std::copy(source.begin(), source.end(), game_.model(region));
  }

  void write(const Way& way, const Region& region, const std::vector<std::byte>& source,
             std::uint64_t* notice, std::uint64_t value, std::size_t how) const {
    void* const dest = game_.address(region);
    const int pe = way.numberOf(region.pe);
    const std::size_t bytes = region.bytes;
    switch (how) {
      case 0:
        return shmem_ctx_putmem_signal(way.ctx, dest, source.data(), bytes, notice, value,
                                       SHMEM_SIGNAL_SET, pe);
      case 1:
        return shmem_ctx_put8_signal_nbi(way.ctx, dest, source.data(), bytes, notice, 1,
                                         SHMEM_SIGNAL_ADD, pe);
      case 2:
        shmem_ctx_putmem(way.ctx, dest, source.data(), bytes, pe);
        shmem_ctx_fence(way.ctx);
        return shmem_ctx_uint64_p(way.ctx, notice, value, pe);
      case 3:
        shmem_ctx_putmem_nbi(way.ctx, dest, source.data(), bytes, pe);
        shmem_ctx_quiet(way.ctx);
        return shmem_uint64_atomic_inc(notice, region.pe);
      case 4:
        shmem_ctx_put8(way.ctx, dest, source.data(), bytes, pe);
        shmem_ctx_pe_quiet(way.ctx, &pe, 1);
        return shmem_signal_set(notice, value, region.pe);
      case 5:
        shmem_ctx_char_put_nbi(way.ctx, static_cast<char*>(dest),
                               reinterpret_cast<const char*>(source.data()), bytes, pe);
        shmem_ctx_fence(way.ctx);
        return shmem_ctx_signal_add(way.ctx, notice, 1, pe);
      default:
        std::copy(source.begin(), source.end(),
                  static_cast<std::byte*>(shmem_ptr(dest, region.pe)));
        shmem_fence();
        return shmem_uint64_atomic_set(notice, value, region.pe);
    }
  }

  void receive(int from, const Region& region, std::size_t segment) {
    std::uint64_t* const notice = &Notices::row(segment)[static_cast<std::size_t>(from)];
    const std::uint64_t value = noticeFor(from, region.pe, segment);
    switch (value % 4) {
      case 0:
        shmem_uint64_wait_until(notice, SHMEM_CMP_GE, value);
        break;
      case 1:
        shmem_signal_wait_until(notice, SHMEM_CMP_EQ, value);
        break;
      case 2:
        while (shmem_uint64_test(notice, SHMEM_CMP_EQ, value) == 0) std::this_thread::yield();
        break;
      default:
        shmem_uint64_wait_until_all(notice, 1, nullptr, SHMEM_CMP_GT, value - 1);
        break;
    }
    game_.requireAsExpected(region, game_.address(region), "message");
  }

  /// The sender has seen it there, so it stays.
  void readBack(const Region& region) {
    std::vector<std::byte> seen(region.bytes);
    shmem_getmem(seen.data(), game_.address(region), seen.size(), region.pe);
    game_.requireAsExpected(region, seen.data(), "message before");
  }

  void takeAll(const std::vector<Region>& regions, std::size_t segment, std::size_t how) {
    std::vector<std::uint64_t> values;
    for (int pe = 0; pe < game_.pes; ++pe) values.push_back(noticeFor(pe, game_.me, segment));
    std::uint64_t* const row = Notices::row(segment).data();
    std::vector<int> taken(values.size(), 0);
    std::vector<std::size_t> indices(values.size());
    const auto take = [&](std::size_t pe) {
      game_.require(pe < taken.size() && taken[pe] == 0, "index of a message");
      taken[pe] = 1;
      game_.requireAsExpected(regions[pe], game_.address(regions[pe]), "message to one");
    };
    const WaitCalls<std::uint64_t> calls = WAIT_CALLS(uint64, std::uint64_t);
    if (how == 0) {
      calls.wait_until_all_vector(row, values.size(), nullptr, SHMEM_CMP_GE, values.data());
      for (std::size_t pe = 0; pe < values.size(); ++pe) take(pe);
    }
    while (std::find(taken.begin(), taken.end(), 0) != taken.end()) {
      if (how % 2 == 0) {
        take(calls.wait_until_any_vector(row, values.size(), taken.data(), SHMEM_CMP_EQ,
                                         values.data()));
        continue;
      }
      const auto some = how == 1 ? calls.wait_until_some_vector : calls.test_some_vector;
      const std::size_t count =
          some(row, values.size(), indices.data(), taken.data(), SHMEM_CMP_EQ, values.data());
      for (std::size_t i = 0; i < count; ++i) take(indices[i]);
      if (count == 0) std::this_thread::yield();
    }
  }

  Game& game_;
  Random& random_;
  /// Over all seeds: notices only grow.
  inline static std::vector<std::uint64_t> counts;
};

}  // namespace ucxx::test
