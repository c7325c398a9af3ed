// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/memory/segment.h"

#include <utility>

#include <ucs/type/status.h>
#include <unistd.h>

#include "base/immortal.h"
#include "base/memory_budget.h"
#include "base/status.h"
#include "shmem/memory/node.h"

namespace ucxx::shmem {

constinit Node node;

namespace {

struct Segment {
  base::SharedMemory memory;
  Layout layout;
};

Segment& segment() noexcept {
  static base::Immortal<Segment> instance;
  return *instance;
}

base::MemoryBudget& budget() noexcept {
  static base::Immortal<base::MemoryBudget> instance;
  return *instance;
}

/// Pages in front of which something lies belong to it as well.
std::pair<std::size_t, std::size_t> pagesOf(const void* begin, std::size_t bytes) noexcept {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(begin) -
                                               segment().memory.bytes().data());
  const std::size_t first = offset / kPage * kPage;
  return {first, roundUp(offset + bytes, kPage) - first};
}

}  // namespace

// The control page is followed by the flags of the predefined teams.
void populateFixedParts(base::SharedMemory& memory, const Layout& layout, int pe) {
  const std::size_t slot = layout.slotOffset(static_cast<std::size_t>(pe));
  if (memory.populate(0, kCommonBytes) &&
      memory.populate(slot, roundUp(kPage + 2 * layout.team_bytes, kPage)))
    return;
  base::throwStatus(UCS_ERR_NO_MEMORY, "the system has no memory for the control pages");
}

void adoptSegment(base::SharedMemory memory, const Layout& layout, int pe) {
  segment() = {std::move(memory), layout};
  std::byte* const base = segment().memory.bytes().data();
  node.common = reinterpret_cast<Common*>(base);
  node.slots = base + layout.slotOffset(0);
  node.slot_bytes = layout.slot_bytes;
  node.team_bytes = layout.team_bytes;
  node.me = pe;
  node.pes = static_cast<int>(layout.pes);
  node.own_shift = shiftOf(pe);
  segment().memory.leaveToChildren();
  populateFixedParts(segment().memory, layout, pe);
  budget().shareWith(node.common->promised_bytes);
  ownControl().pid.store(::getpid(), std::memory_order_relaxed);
  ownControl().state.store(PeState::Attached, std::memory_order_release);
}

void protectInChild() noexcept {
  if (hasSegment()) segment().memory.protectInChild();
}

bool hasSegment() noexcept { return node.slots != nullptr; }
const Layout& layout() noexcept { return segment().layout; }
int segmentDescriptor() noexcept { return segment().memory.descriptor(); }

bool populate(const void* begin, std::size_t bytes) noexcept {
  const auto [offset, length] = pagesOf(begin, bytes);
  return base::populateWithin(budget(), segment().memory, offset, length);
}

bool populateFlags(const void* begin, std::size_t bytes) noexcept {
  const auto [offset, length] = pagesOf(begin, bytes);
  return segment().memory.populate(offset, length);
}

void discard(const void* begin, std::size_t bytes) noexcept {
  const auto [offset, length] = pagesOf(begin, bytes);
  segment().memory.discard(offset, length);
  budget().release(length);
}

}  // namespace ucxx::shmem
