// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// fcollect, collect, alltoall, alltoalls: each member puts its blocks where they belong, and says
// so.
#include <algorithm>
#include <cstdint>

#include "shmem/access/copy.h"
#include "shmem/access/rma.h"
#include "shmem/checks/arguments.h"
#include "shmem/checks/failure.h"
#include "shmem/collectives/arrived.h"
#include "shmem/collectives/data.h"
#include "shmem/collectives/exchange.h"
#include "shmem/memory/locate.h"

namespace ucxx::shmem {
namespace {

/// For each member, the local one first.
template <class Action>
void forEachMember(const Team& team, const Action& action) noexcept {
  action(team.me);
  forEachOther(team, action);
}

std::size_t times(int count, std::size_t bytes) noexcept {
  return static_cast<std::size_t>(count) * bytes;
}

std::byte* at(void* memory, std::size_t offset) noexcept {
  return static_cast<std::byte*>(memory) + offset;
}

void putTo(const Team& team, int member, void* dest, const void* source, std::size_t bytes,
           const char* call) noexcept {
  if (bytes != 0) copy(locate(dest, bytes, team.peOf(member), call).address, source, bytes);
}

/// To the same place of all.
void putToAll(const Team& team, void* dest, const void* source, std::size_t bytes,
              const char* call) noexcept {
  forEachMember(team, [&](int member) { putTo(team, member, dest, source, bytes, call); });
}

struct Sizes {
  std::size_t before = 0;  ///< of the members before the local one, together
  std::size_t all;
  std::size_t room;  ///< the least that a member has for all
};
/// Tells the others how many bytes the local member has, and room for how many; learns theirs.
Sizes exchangeSizes(Team& team, std::size_t bytes, std::size_t room, const char* call) noexcept {
  struct Own {
    std::uint64_t bytes, room;
  };
  static_assert(sizeof(Own) <= Arrival::kRoom);
  const Exchange exchange(team, call);
  const Own own{bytes, room};
  exchange.arrive(&own, sizeof own);
  Sizes sizes{0, bytes, room};
  forEachOther(team, [&](int member) {
    Own there{};
    std::memcpy(&there, exchange.await(member), sizeof there);
    sizes.all += there.bytes;
    sizes.room = std::min<std::size_t>(sizes.room, there.room);
    if (member < team.me) sizes.before += there.bytes;
  });
  return sizes;
}

/// A member that has nothing may have a source that is not symmetric.
void checkUnequalBlocks(Team& team, const void* dest, std::size_t dest_bytes, const void* source,
                        std::size_t source_bytes, const char* call) noexcept {
  if (dest_bytes == 0) return;
  requireSymmetric(dest, dest_bytes, call);
  if (source_bytes != 0) requireSymmetric(source, source_bytes, call);
  if (!node.is_debug) return;
  compareArguments(team, {{"the offset of dest", offsetInSlot(dest)}}, call);
  if (source_bytes != 0) checkApart(dest, dest_bytes, source, source_bytes, call);
}

void checkEqualBlocks(Team& team, const void* dest, std::size_t dest_bytes, const void* source,
                      std::size_t source_bytes, const char* call) noexcept {
  compareArguments(team, {{"nelems in bytes", source_bytes}}, call);
  checkBuffers(team, {dest, dest_bytes, source, source_bytes}, call);
}

/// To be called before anything is put into a dest.
void awaitDests(Team& team, const char* call) noexcept {
  if (team.is_active_set) meet(team, call);
}

/// Small blocks travel with the flags, in their cache lines, and each member puts what has come
/// into its own dest. `block_for(member)` is the local block for a member.
template <class BlockFor>
void exchangeBlocks(Team& team, void* dest, std::size_t bytes, const BlockFor& block_for,
                    const char* call) noexcept {
  const Exchange blocks(team, call);
  forEachOther(team, [&](int member) { blocks.tell(member, block_for(member), bytes); });
  forEachMember(team, [&](int member) {
    const void* const block = member == team.me ? block_for(member) : blocks.await(member);
    if (bytes != 0) std::memcpy(at(dest, times(member, bytes)), block, bytes);
  });
}

/// Whether elements of `blocks` on the one side lie in the same bytes as on the other one. Both are
/// walked through from the lowest address on.
bool overlap(const void* to, const void* from, const Blocks& blocks) noexcept {
  auto dest = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t dest_end = dest + extentOf(blocks, blocks.to_stride);
  const std::uintptr_t source_end = source + extentOf(blocks, blocks.from_stride);
  while (dest < dest_end && source < source_end) {
    if ((dest > source ? dest - source : source - dest) < blocks.bytes) return true;
    if (dest < source) {
      dest += static_cast<std::uintptr_t>(blocks.to_stride);
    } else {
      source += static_cast<std::uintptr_t>(blocks.from_stride);
    }
  }
  return false;
}

/// As `checkBuffers`, of elements that lie apart. Those of one side may lie between those of the
/// other one.
void checkElements(Team& team, const void* dest, const void* source, Blocks all,
                   const char* call) noexcept {
  all.count *= static_cast<std::size_t>(team.size);  // one block for each member
  if (all.count == 0) return;
  if (node.is_debug) checkBlocks(all, call);
  requireSymmetric(dest, extentOf(all, all.to_stride), call);
  requireSymmetric(source, extentOf(all, all.from_stride), call);
  if (!node.is_debug) return;
  compareArguments(
      team,
      {{"the offset of dest", offsetInSlot(dest)}, {"the offset of source", offsetInSlot(source)}},
      call);
  if (overlap(dest, source, all))
    fail(call,
         "the elements of dest, from %p on, and those of source, from %p on, overlap: they must "
         "not",
         dest, source);
}

}  // namespace

void fcollect(Team& team, void* dest, const void* source, std::size_t bytes,
              const char* call) noexcept {
  checkEqualBlocks(team, dest, times(team.size, bytes), source, bytes, call);
  if (bytes <= Arrival::kRoom)
    return exchangeBlocks(
        team, dest, bytes, [&](int) { return source; }, call);
  awaitDests(team, call);
  putToAll(team, at(dest, times(team.me, bytes)), source, bytes, call);
  meet(team, call);
  askForArrived(dest, times(team.size, bytes));
}

bool collect(Team& team, void* dest, std::size_t room, const void* source, std::size_t bytes,
             const char* call) noexcept {
  compareArguments(team, {}, call);
  const Sizes sizes = exchangeSizes(team, bytes, room, call);
  if (sizes.all > sizes.room) return false;
  checkUnequalBlocks(team, dest, sizes.all, source, bytes, call);
  putToAll(team, at(dest, sizes.before), source, bytes, call);
  meet(team, call);
  askForArrived(dest, sizes.all);
  return true;
}

void alltoall(Team& team, void* dest, const void* source, std::size_t bytes,
              const char* call) noexcept {
  checkEqualBlocks(team, dest, times(team.size, bytes), source, times(team.size, bytes), call);
  const auto* const blocks = static_cast<const std::byte*>(source);
  if (bytes <= Arrival::kRoom) {
    const auto block_for = [&](int member) { return blocks + times(member, bytes); };
    return exchangeBlocks(team, dest, bytes, block_for, call);
  }
  std::byte* const own = at(dest, times(team.me, bytes));
  awaitDests(team, call);
  forEachMember(team, [&](int member) {
    putTo(team, member, own, blocks + times(member, bytes), bytes, call);
  });
  meet(team, call);
  askForArrived(dest, times(team.size, bytes));
}

void alltoalls(Team& team, void* dest, const void* source, const Elements& elements,
               const char* call) noexcept {
  const auto size = static_cast<std::ptrdiff_t>(elements.bytes);
  const Blocks blocks{elements.bytes, elements.count, elements.dest_stride * size,
                      elements.source_stride * size};
  compareArguments(team,
                   {{"nelems", elements.count},
                    {"dst", static_cast<std::uint64_t>(elements.dest_stride)},
                    {"sst", static_cast<std::uint64_t>(elements.source_stride)}},
                   call);
  checkElements(team, dest, source, blocks, call);
  const auto block_begins = [&](int block, std::ptrdiff_t stride) {
    return block * static_cast<std::ptrdiff_t>(elements.count) * stride;
  };
  awaitDests(team, call);
  forEachMember(team, [&](int member) {
    putBlocks(static_cast<std::byte*>(dest) + block_begins(team.me, blocks.to_stride),
              static_cast<const std::byte*>(source) + block_begins(member, blocks.from_stride),
              blocks, team.peOf(member), call);
  });
  meet(team, call);
}

}  // namespace ucxx::shmem
