// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

#include "shmem/random_calls.h"
#include "shmem/random_game.h"

// Puts, gets and atomic operations of a random program. In a phase each region belongs to one PE
// that does with it what it likes, or to all that read it, or to all that add to it.

namespace ucxx::test {

/// Writes elements of the source to dest; both lie in blocks.
struct Blocks {
  std::size_t to, from, block, blocks;  // in elements

  std::size_t extentOfTo() const { return (blocks - 1) * to + block; }
  std::size_t extentOfFrom() const { return (blocks - 1) * from + block; }
  void copy(std::byte* dest, const std::byte* source, std::size_t element) const {
    for (std::size_t i = 0; i < blocks; ++i)
      std::memcpy(dest + i * to * element, source + i * from * element, block * element);
  }
};

/// Accesses of one PE to one region, on one context.
class Accesses {
 public:
  Accesses(Game& game, int actor, const Region& region)
      : game_(game), random_(game.random), actor_(actor), region_(region) {
    chooseWay();
  }

  /// Any, one after the other; a write may be ordered by a fence where a write follows.
  void doSome() {
    for (std::size_t left = random_.between(1, 5); left > 0; --left) {
      is_write_due_ || random_.oneIn(2) ? write() : read();
      if (is_write_due_ && left > 1 && random_.oneIn(3)) {
        if (isMine()) way_->fence();
      } else {
        complete();
      }
    }
  }
  void doSomeReads() {
    for (std::size_t left = random_.between(1, 3); left > 0; --left) {
      read();
      complete();
    }
  }
  /// Atomic operations that may come in any order, all of the same kind.
  void doSomeChanges(Change change, std::size_t bytes) {
    for (std::size_t left = random_.between(1, 4); left > 0; --left) {
      const Atomic* atomic = nullptr;
      do {
        atomic = &random_.oneOf(kAtomics);
      } while (atomic->change != change || atomic->bytes != bytes);
      changeWord(*atomic, false);
    }
    complete();
  }

 private:
  bool isMine() const { return game_.me == actor_; }
  int number() const { return way_->numberOf(region_.pe); }
  void chooseWay() { way_ = &game_.anyWay(actor_, region_.pe); }
  /// Everything is done, and the next access may take another way.
  void complete() {
    if (isMine()) way_->quiet();
    for (const Fetched& fetched : fetched_) check(fetched);
    fetched_.clear();
    sources_.clear();
    is_write_due_ = false;
    chooseWay();
  }

  /// Some elements in the region.
  Region someElements(std::size_t element) {
    const std::size_t most = region_.bytes / element, count = random_.below(most + 1);
    return region_.part(random_.below(most - count + 1) * element, count * element);
  }
  Blocks someBlocks(std::size_t element) {
    const std::size_t most = region_.bytes / element;
    Blocks result{};
    result.block = random_.between(1, std::min<std::size_t>(most, 5));
    result.blocks = random_.between(1, most / result.block);
    const std::size_t widest =
        result.blocks == 1 ? result.block + 3 : (most - result.block) / (result.blocks - 1);
    result.to = random_.between(result.block, widest);
    result.from = random_.between(result.block, result.block + 3);
    return result;
  }

  void write() {
    is_write_due_ = true;
    switch (random_.below(5)) {
      case 0:
        return putElements(random_.oneOf(kPuts));
      case 1:
        return putElements(random_.oneOf(kPutsNbi));
      case 2:
        return putBlocks(random_.oneOf(kBlockPuts));
      case 3:
        return putOne(random_.oneOf(kPs));
      default:
        return changeWord(random_.oneOf(kAtomics), true);
    }
  }
  void read() {
    switch (random_.below(4)) {
      case 0:
        return getElements(random_.oneOf(kGets));
      case 1:
        return getElements(random_.oneOf(kGetsNbi));
      case 2:
        return getBlocks(random_.oneOf(kBlockGets));
      default:
        return getOne(random_.oneOf(kGs));
    }
  }

  /// In use until the accesses are complete.
  const std::byte* newSource(std::size_t bytes) {
    sources_.push_back(random_.bytes(bytes));
    return sources_.back().data();
  }

  void putElements(const Copying& put) {
    const Region dest = someElements(put.element);
    const std::byte* const source = newSource(dest.bytes);
    if (isMine())
      put.call(way_->ctx, game_.address(dest), source, dest.bytes / put.element, number());
    std::copy_n(source, dest.bytes, game_.model(dest));
  }
  void putOne(const CopyingOne& p) {
    const Region dest = anElement(p.element);
    const std::byte* const source = newSource(p.element);
    alignas(16) std::array<std::byte, 16> value{};
    std::copy_n(source, p.element, value.data());
    if (isMine()) p.call(way_->ctx, game_.address(dest), value.data(), number());
    std::copy_n(source, p.element, game_.model(dest));
  }
  void putBlocks(const CopyingBlocks& put) {
    const Blocks blocks = someBlocks(put.element);
    const Region dest = region_.part(0, blocks.extentOfTo() * put.element);
    const std::byte* const source = newSource(blocks.extentOfFrom() * put.element);
    if (isMine())
      put.call(way_->ctx, game_.address(dest), source, static_cast<std::ptrdiff_t>(blocks.to),
               static_cast<std::ptrdiff_t>(blocks.from), blocks.block, blocks.blocks, number());
    blocks.copy(game_.model(dest), source, put.element);
  }

  /// What a call has written or will write, and what that ought to be.
  struct Fetched {
    std::vector<std::byte> seen, expected;
  };
  Fetched& expectLater(std::vector<std::byte> expected) {
    fetched_.push_back({std::vector<std::byte>(expected.size()), std::move(expected)});
    return fetched_.back();
  }
  void check(const Fetched& fetched) const {
    if (isMine()) game_.require(fetched.seen == fetched.expected, "value that was fetched");
  }

  void getElements(const Copying& get) {
    const Region source = someElements(get.element);
    Fetched& fetched = expectLater(game_.expected(source));
    if (isMine())
      get.call(way_->ctx, fetched.seen.data(), game_.address(source), source.bytes / get.element,
               number());
  }
  void getOne(const CopyingOne& g) {
    const Region source = anElement(g.element);
    Fetched& fetched = expectLater(game_.expected(source));
    if (isMine()) g.call(way_->ctx, fetched.seen.data(), game_.address(source), number());
  }
  /// Gathers with strides of the region what is put together with other strides.
  void getBlocks(const CopyingBlocks& get) {
    const Blocks blocks = someBlocks(get.element);
    const Region source = region_.part(0, blocks.extentOfTo() * get.element);
    const Blocks gathering{blocks.from, blocks.to, blocks.block, blocks.blocks};
    std::vector<std::byte> expected(blocks.extentOfFrom() * get.element);
    gathering.copy(expected.data(), game_.model(source), get.element);
    Fetched& fetched = expectLater(std::move(expected));
    if (isMine())
      get.call(way_->ctx, fetched.seen.data(), game_.address(source),
               static_cast<std::ptrdiff_t>(gathering.to),
               static_cast<std::ptrdiff_t>(gathering.from), blocks.block, blocks.blocks, number());
  }

  Region anElement(std::size_t bytes) {
    return region_.part(random_.below(region_.bytes / bytes) * bytes, bytes);
  }

  /// `is_alone`: what is fetched is known.
  void changeWord(const Atomic& atomic, bool is_alone) {
    const Region word = anElement(atomic.bytes);
    std::uint64_t old = 0;
    std::copy_n(game_.model(word), atomic.bytes, reinterpret_cast<std::byte*>(&old));
    const std::uint64_t value = random_.word(), compared = random_.oneIn(2) ? old : random_.word();
    const std::uint64_t result =
        changed(atomic.change, old, value, truncated(compared, atomic.bytes));
    std::vector<std::byte> unused(atomic.bytes);
    std::byte* fetched = unused.data();
    if (atomic.fetches && is_alone) fetched = expectLater(game_.expected(word)).seen.data();
    if (isMine()) atomic.call(way_->ctx, fetched, game_.address(word), value, compared, number());
    if (isMine() && !is_alone) way_->quiet();  // before `unused` ends
    std::copy_n(reinterpret_cast<const std::byte*>(&result), atomic.bytes, game_.model(word));
  }
  static std::uint64_t truncated(std::uint64_t value, std::size_t bytes) {
    return bytes == 4 ? static_cast<std::uint32_t>(value) : value;
  }

  Game& game_;
  Random& random_;
  const int actor_;
  const Region region_;
  const Way* way_ = nullptr;
  bool is_write_due_ = false;
  std::vector<std::vector<std::byte>> sources_;
  std::vector<Fetched> fetched_;
};

constexpr std::size_t kRegion = 256;

inline void accessRegion(Game& game, const Region& region) {
  const std::size_t kind = game.random.below(6);
  if (kind < 3) return Accesses(game, game.anyPe(), region).doSome();
  if (kind == 3) return;
  const Change change = std::array{Change::Add, Change::Increment, Change::Xor, Change::Or,
                                   Change::And}[game.random.below(5)];
  const std::size_t bytes = game.random.oneIn(2) ? 4 : 8;
  for (const int pe : game.somePes()) {
    Accesses accesses(game, pe, region);
    kind == 4 ? accesses.doSomeReads() : accesses.doSomeChanges(change, bytes);
  }
}

/// Of some regions of all PEs, at the same time.
inline void accessMemory(Game& game) {
  const auto one_in = static_cast<std::size_t>(std::max(game.pes, 4));
  game.beginPhase("accesses");
  for (std::size_t segment = 0; segment < Game::kSegments; ++segment) {
    for (int pe = 0; pe < game.pes; ++pe) {
      for (std::size_t first = 0; first < Game::kBytes; first += kRegion) {
        if (game.random.oneIn(one_in)) accessRegion(game, {segment, pe, first, kRegion});
      }
    }
  }
  game.endPhase();
}

}  // namespace ucxx::test
