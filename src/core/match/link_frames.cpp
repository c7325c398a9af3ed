// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The large frames of multi-buffer messages, which come straight behind them.

#include <algorithm>

#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"

namespace ucxx::core {

void Link::dropFrame(const LargeFrame& frame) noexcept {
  if (frame.announcement) incoming_.drop(frame.announcement);
  if (frame.sender != nullptr) endPart(*frame.sender, UCS_OK);
}

void Link::beginMulti(const WireHeader& header) {
  if (channel != ChannelKind::Self) open_multis_.clear();
  open_multis_.push_back({header.sequence, header.stays != 0});
}

OpenMulti* Link::openMulti(std::uint32_t sequence) noexcept {
  const auto found = std::find_if(open_multis_.begin(), open_multis_.end(),
                                  [&](const OpenMulti& one) { return one.sequence == sequence; });
  return found == open_multis_.end() ? nullptr : &*found;
}

void Link::refuseFrames(std::uint32_t sequence) noexcept {
  if (OpenMulti* multi = openMulti(sequence)) multi->refused = true;
  for (;;) {
    const auto next = frames.lower_bound(std::uint64_t{sequence} << 32);
    if (next == frames.end() || next->first >> 32 != sequence) return;
    const LargeFrame frame = next->second;
    frames.erase(next);
    dropFrame(frame);  // its callback may change them
    if (frame.receiver != nullptr) endPart(*frame.receiver, UCS_ERR_CANCELED);  // it has not come
  }
}

}  // namespace ucxx::core
