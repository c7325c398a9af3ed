// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/phase.h"
#include "shmem/access/copy.h"
#include "shmem/collectives/arrived.h"
#include "shmem/collectives/checks.h"
#include "shmem/collectives/data.h"
#include "shmem/collectives/sync.h"
#include "shmem/memory/locate.h"

namespace ucxx::shmem {
namespace {

/// Up to so much the root puts into each dest, and leaves. Of more, each member reads its own copy,
/// at the same time as the others, and the root waits for them.
constexpr std::size_t kMostPut = 8 << 10;

struct Broadcast {
  Team& team;
  void* dest;
  const void* source;
  std::size_t bytes;
  int root;
  const char* call;
  std::uint64_t turn;

  bool isRead() const noexcept { return bytes > kMostPut; }
  /// The root puts when all others are in the call.
  bool rootWaits() const noexcept { return !isRead() && team.is_active_set; }
  int rootPe() const noexcept { return team.peOf(root); }
};

/// Each root has a word of its own: it may be ahead of another one.
void tell(const Broadcast& work, int member) noexcept {
  raise(rootsOf(work.team, member)[work.root], work.turn, controlOf(work.team.peOf(member)));
}

void putAll(const Broadcast& work) noexcept {
  forEachOther(work.team, [&](int member) {
    if (work.bytes != 0)
      copy(locate(work.dest, work.bytes, work.team.peOf(member), work.call).address, work.source,
           work.bytes);
    tell(work, member);
  });
}

void offerToAll(const Broadcast& work) noexcept {
  forEachOther(work.team, [&](int member) { tell(work, member); });
}

void countAtRoot(const Broadcast& work, Flag& count) noexcept {
  count.value.fetch_add(1, std::memory_order_release);
  wakeIfAsleep(controlOf(work.rootPe()).for_flags);
}

/// Waits until each of the others has counted once more.
void awaitCount(const Broadcast& work, const Flag& count, std::uint64_t& expected) noexcept {
  expected += static_cast<std::uint64_t>(work.team.size - 1);
  await(count.value, expected, work.call, -1);
}

void give(const Broadcast& work, bool with_root) noexcept {
  TeamFlags& own = ownFlags(work.team);
  if (work.rootWaits()) awaitCount(work, own.ready, work.team.ready);
  if (work.isRead()) {
    offerToAll(work);
  } else {
    putAll(work);
  }
  if (with_root) copy(work.dest, work.source, work.bytes);
  if (work.isRead()) awaitCount(work, own.readers, work.team.reads);
}

void take(const Broadcast& work) noexcept {
  TeamFlags& root = flagsOf(work.team, work.root);
  if (work.rootWaits()) countAtRoot(work, root.ready);
  await(rootsOf(work.team, work.team.me)[work.root], work.turn, work.call, work.rootPe());
  if (!work.isRead()) return askForArrived(work.dest, work.bytes);
  copy(work.dest, locate(work.source, work.bytes, work.rootPe(), work.call).address, work.bytes);
  base::reached(base::Phase::PeBroadcastRead);
  countAtRoot(work, root.readers);
}

}  // namespace

void broadcast(Team& team, void* dest, const void* source, std::size_t bytes, int root,
               bool with_root, const char* call) noexcept {
  checkRoot(team, root, call);
  compareArguments(
      team, {{"nelems in bytes", bytes}, {"PE_root", static_cast<std::uint64_t>(root)}}, call);
  checkBuffers(team, {dest, bytes, source, bytes}, call);
  const Broadcast work{team, dest, source, bytes, root, call, ++team.broadcasts};
  if (team.me == root) {
    give(work, with_root);
  } else {
    take(work);
  }
}

}  // namespace ucxx::shmem
