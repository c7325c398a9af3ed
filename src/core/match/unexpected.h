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
  base::List<Ahead, &Ahead::room_node> wait_for_room;  // the one that waits longest is first

  void giveBackSelf(std::size_t bytes) noexcept {
    from_self -= bytes;
    hasRoom();
  }
  void giveBackFetched(std::size_t bytes) noexcept {
    fetched -= bytes;
    if (bytes != 0) hasRoom();
  }

 private:
  void hasRoom() noexcept {
    while (Ahead* const ahead = wait_for_room.popFront()) ahead->workSoon();
  }
};

}  // namespace ucxx::core
