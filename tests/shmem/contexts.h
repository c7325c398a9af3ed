// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "shmem/check.h"

// The ways to make one call: without a context, and on contexts of all kinds. A test is written for
// one way; PEs are numbers of the job, and the way says what number that is on its context.

namespace ucxx::test {

/// How to call a function, and among whom.
struct Way {
  bool is_plain = false;  ///< without a context
  shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
  std::vector<int> members;   ///< PEs of the job, in the order of the context's numbers
  bool orders_stores = true;  ///< made by the processor, not by calls

  int numberOf(int pe) const {
    const auto found = std::find(members.begin(), members.end(), pe);
    return found == members.end() ? -1 : static_cast<int>(found - members.begin());
  }
  bool hasMe() const { return numberOf(shmem_my_pe()) >= 0; }
  int size() const { return static_cast<int>(members.size()); }
  /// The member so far behind this PE; before it, if negative.
  int atDistance(int distance) const {
    const int number = (numberOf(shmem_my_pe()) + distance + size()) % size();
    return members[static_cast<std::size_t>(number)];
  }
  /// Itself, the next one, and the last one where that is another.
  std::vector<int> distances() const {
    std::vector<int> result{0};
    if (size() > 1) result.push_back(1);
    if (size() > 2) result.push_back(size() - 1);
    return result;
  }
  void quiet() const { is_plain ? shmem_quiet() : shmem_ctx_quiet(ctx); }
  void fence() const { is_plain ? shmem_fence() : shmem_ctx_fence(ctx); }
};

/// A function and its form with a context, of which the last parameter is the PE.
template <class Plain, class OnContext>
class Call {
 public:
  Call(Plain* plain, OnContext* on_context) : plain_(plain), on_context_(on_context) {}

  template <class... Arguments>
  auto operator()(const Way& way, int pe, Arguments... arguments) const {
    if (way.is_plain) return plain_(arguments..., pe);
    return on_context_(way.ctx, arguments..., way.numberOf(pe));
  }

 private:
  Plain* plain_;
  OnContext* on_context_;
};

/// All ways, for as long as it lives. Collective.
class Ways {
 public:
  Ways() {
    const int pes = shmem_n_pes();
    add({true, SHMEM_CTX_DEFAULT, triplet(0, 1, pes)});
    add({false, SHMEM_CTX_DEFAULT, triplet(0, 1, pes)});
    for (const long options : {0L, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE})
      addWorld(options);
    addTeam(pes - 1, -1, pes);
    addTeam((pes - 1) / 2 * 2, -2, (pes + 1) / 2);
  }
  ~Ways() {
    for (const auto& way : all_) {
      if (way->ctx != SHMEM_CTX_DEFAULT) shmem_ctx_destroy(way->ctx);
    }
    for (const shmem_team_t team : teams_) shmem_team_destroy(team);
  }
  Ways(const Ways&) = delete;
  Ways& operator=(const Ways&) = delete;

  /// Calls `test(way)` for each.
  template <class Test>
  void forEach(const Test& test) const {
    for (const auto& way : all_) test(*way);
  }
  /// Without a context.
  const Way& plain() const { return *all_.front(); }
  /// On a context of all PEs in reversed order.
  const Way& reversed() const { return *all_[all_.size() - 2]; }

 private:
  static std::vector<int> triplet(int start, int stride, int size) {
    std::vector<int> members;
    for (int i = 0; i < size; ++i) members.push_back(start + i * stride);
    return members;
  }
  void add(Way way) { all_.push_back(std::make_unique<Way>(std::move(way))); }
  void addWorld(long options) {
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    CHECK_EQ(shmem_ctx_create(options, &ctx), 0);
    add({false, ctx, triplet(0, 1, shmem_n_pes()), (options & SHMEM_CTX_NOSTORE) == 0});
  }
  /// Who is no member has a context without use.
  void addTeam(int start, int stride, int size) {
    shmem_team_t team = SHMEM_TEAM_INVALID;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, nullptr, 0, &team), 0);
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    const bool is_member = team != SHMEM_TEAM_INVALID;
    CHECK_EQ(shmem_team_create_ctx(team, 0, &ctx) == 0, is_member);
    CHECK_EQ(shmem_team_my_pe(team) >= 0, is_member);
    teams_.push_back(team);
    add({false, ctx, triplet(start, stride, size)});
  }

  std::vector<std::unique_ptr<Way>> all_;
  std::vector<shmem_team_t> teams_;
};

/// One step of all PEs: each prepares its memory; members act on the PE `distance` behind them;
/// when all have, each looks at what has become of its memory, which the PE `from` has changed.
template <class Prepare, class Act, class Look>
void step(const Way& way, int distance, const Prepare& prepare, const Act& act, const Look& look) {
  prepare();
  shmem_barrier_all();
  if (way.hasMe()) act(way.atDistance(distance));
  if (way.hasMe()) way.quiet();
  shmem_barrier_all();
  if (way.hasMe()) look(way.atDistance(-distance));
}

/// Memory of each kind, of so many bytes: heap, and a static variable of the program.
template <std::size_t Bytes>
class Areas {
 public:
  Areas() : heap_(static_cast<std::byte*>(shmem_align(64, Bytes))) { CHECK(heap_ != nullptr); }
  ~Areas() { shmem_free(heap_); }
  Areas(const Areas&) = delete;
  Areas& operator=(const Areas&) = delete;

  std::array<std::byte*, 2> all() const { return {heap_, in_statics.data()}; }
  std::byte* heap() const { return heap_; }
  std::byte* statics() const { return in_statics.data(); }

 private:
  std::byte* heap_;
  alignas(64) inline static std::array<std::byte, Bytes> in_statics{};
};

}  // namespace ucxx::test
