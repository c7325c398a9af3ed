// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Messages that came before their turn: UCX promises no order, least of all between what it carries
// and a ring.

#include <memory>
#include <new>
#include <utility>

#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/reviews.h"
#include "core/wire/wire.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// How far a message may be ahead of its turn: lanes reorder a little, only a broken peer more.
constexpr std::uint32_t kMaxAhead = 1 << 20;
/// What may be among those beside what has credit: control messages, fetched payloads, and
/// announcements but for their prologues.
constexpr std::size_t kMaxStashed = 16 << 20;

}  // namespace

void Link::stash(const WireHeader& header, std::span<const std::byte> prologue,
                 const ucp::Payload& payload) try {
  const std::uint32_t ahead = header.sequence - expected_sequence_;
  const bool is_announced = payload.announcement != nullptr || header.announces != 0;
  const std::size_t cost = costOf(payload.announcement == nullptr ? payload.size : 0,
                                  is_announced ? 0 : prologue.size());
  stashed_bytes_ += cost;
  if (is_announced) ++stashed_announcements_;
  if (ahead > kMaxAhead || stash_.count(header.sequence) != 0 ||
      stashed_bytes_ > loop.options.unexpected_bytes + kMaxStashed ||
      stashed_announcements_ > mostAnnouncements() + loop.options.multi_frames) {
    drop(payload);
    return fail(UCS_ERR_INVALID_PARAM);
  }
  becomeUnusual();
  auto stashed = std::make_unique<Stashed>();
  const auto* bytes = static_cast<const std::byte*>(payload.bytes);
  stashed->header = header;
  stashed->cost = cost;
  stashed->is_announced = is_announced;
  stashed->prologue.assign(prologue.begin(), prologue.end());
  if (payload.announcement == nullptr) stashed->bytes.assign(bytes, bytes + payload.size);
  stashed->payload = {stashed->bytes.data(), payload.size, payload.announcement};
  stash_.emplace(header.sequence, std::move(stashed));
  if (ahead != 0) loop.counters.reordered_messages.add();
  if (isOwedUcp()) review.ask();
} catch (const std::bad_alloc&) {
  drop(payload);
  fail(UCS_ERR_NO_MEMORY);
}

void Link::unstash() {
  for (;;) {
    const auto found = stash_.find(expected_sequence_);
    if (found == stash_.end() || state != State::Up || failing != UCS_OK) return;
    const std::unique_ptr<Stashed> next = std::move(found->second);
    stash_.erase(found);
    stashed_bytes_ -= next->cost;
    if (next->is_announced) --stashed_announcements_;
    handleInTurn(next->header, next->prologue, next->payload);
  }
}

}  // namespace ucxx::core
