// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/memory/layout.h"

#include "shmem/memory/control.h"
#include "shmem/memory/flags.h"

namespace ucxx::shmem {
Layout Layout::of(std::size_t pes, std::size_t heap_bytes, std::size_t statics_bytes) noexcept {
  Layout layout;
  layout.pes = pes;
  layout.team_bytes = teamBytes(pes);
  layout.heap_offset = roundUp(kPage + kMostTeams * layout.team_bytes, kHugePage);
  layout.heap_bytes = roundUp(heap_bytes, kPage);
  layout.statics_offset = layout.heap_offset + layout.heap_bytes;
  layout.statics_bytes = roundUp(statics_bytes, kPage);
  layout.slot_bytes = roundUp(layout.statics_offset + layout.statics_bytes, kSlotAlignment);
  return layout;
}

std::size_t Layout::bytes() const noexcept { return slotOffset(pes); }

// What is not used before the first slot lets its heap begin at a multiple: fewer addresses than if
// each slot began at one, and its heap at the next.
std::size_t Layout::slotOffset(std::size_t pe) const noexcept {
  return roundUp(kCommonBytes + heap_offset, kSlotAlignment) - heap_offset + pe * slot_bytes;
}

}  // namespace ucxx::shmem
