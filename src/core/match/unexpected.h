// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "base/list.h"
#include "core/match/ahead.h"

namespace ucxx::core {

/// How many bytes a worker holds that no receive has matched, beside what its peers sent eagerly,
/// and who waits for room for more. Part of the inbox.
struct Unexpected {
  std::size_t from_self = 0;                           // of the own worker
  std::size_t fetched = 0;                             // of others, fetched before their receives
  base::List<Ahead, &Ahead::room_node> wait_for_room;  // first the one that has waited longest

  void giveBackSelf(std::size_t bytes) noexcept {
    from_self -= bytes;
    hasRoom();
  }
  void giveBackFetched(std::size_t bytes) noexcept {
    fetched -= bytes;
    if (bytes != 0) hasRoom();
  }

 private:
  /// They look in this order, each once.
  void hasRoom() noexcept {
    for (Ahead* ahead = wait_for_room.front(); ahead != nullptr;
         ahead = wait_for_room.after(*ahead))
      ahead->lookInTurn();
  }
};

}  // namespace ucxx::core
