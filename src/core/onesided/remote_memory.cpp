// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/onesided/remote_memory.h"

#include <utility>

#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/onesided/memory_registry.h"
#include "core/request/endpoint_core.h"
#include "local/channel.h"
#include "local/peer_memory.h"

namespace ucxx::core {

/// What the key says of the memory counts only as far as its owner says the same.
void RemoteMemory::look(const Port& port) {
  if (std::exchange(looked_, true) || key_.entry == MemoryKey::kNoEntry) return;
  if (port.channel == ChannelKind::Self) {
    entry_ = local::MemoryTable::own(key_.entry);
    if (entry_ == nullptr) return;
    (void)ownMemory().reach(key_.name(), 0, key_.size, [&](std::byte* begin) {
      begin_.store(begin, std::memory_order_release);
    });
  } else if (port.local != nullptr && port.local->memory().table() != nullptr) {
    const local::PeerMemory& memory = port.local->memory();
    const auto& entry = memory.table()->entries[key_.entry];
    if (entry.id.load(std::memory_order_acquire) == key_.id &&
        (entry.base.load(std::memory_order_relaxed) != key_.base ||
         entry.size.load(std::memory_order_relaxed) != key_.size))
      return;
    mapping_ = memory.mapping();
    entry_ = &entry;
    begin_.store(memory.mappedAt(key_.base, key_.size), std::memory_order_release);
  }
}

void RemoteMemory::lookIfUp() {
  Port* const port = endpoint_->isOver() ? nullptr : endpoint_->inlet;
  if (port != nullptr && port->state == Port::State::Up) look(*port);
}

}  // namespace ucxx::core
