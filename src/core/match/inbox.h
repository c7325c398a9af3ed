// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/rare_line.h"
#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "core/match/ahead.h"
#include "core/match/matcher.h"
#include "core/match/message.h"
#include "core/match/receivers.h"
#include "core/match/unexpected.h"

namespace ucxx::core {

/// What has come for a worker and has no receive, and the receives that wait for it; but for what
/// belongs to one endpoint (active messages, streams).
struct Inbox {
  Matcher tags;
  Matcher multis;
  MessageList probed;  // taken out of `tags` by a probe, not received yet
  Receivers receivers;
  base::RareLine unknown_receivers;
  Unexpected unexpected;
  std::vector<std::shared_ptr<Standing>> standing;  // of all endpoints that have one
  std::uint64_t ended_links = 0;  // how many links have ended so far: the number of the last one
};

inline Inbox& inboxOf(const Loop& loop) noexcept { return *loop.rooms.inbox; }

}  // namespace ucxx::core
