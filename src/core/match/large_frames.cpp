// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/large_frames.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/bulk/incoming_payloads.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/match/multi_frames.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"

namespace ucxx::core {

LargeFrames::LargeFrames(Port& port, IncomingPayloads& incoming)
    : port_(port), incoming_(incoming) {
  open_.reserve(1);  // what is taken at once has no memory to wait for
}

void LargeFrames::open(const WireHeader& header) {
  if (port_.channel != ChannelKind::Self) open_.clear();
  open_.push_back({header.sequence, header.stays != 0});
}

void LargeFrames::close(std::uint32_t sequence) noexcept {
  std::erase_if(open_, [&](const OpenMulti& one) { return one.sequence == sequence; });
}

OpenMulti* LargeFrames::opened(std::uint32_t sequence) noexcept {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const OpenMulti& one) { return one.sequence == sequence; });
  return found == open_.end() ? nullptr : &*found;
}

void LargeFrames::refuse(std::uint32_t sequence) noexcept {
  if (OpenMulti* multi = opened(sequence)) multi->refused = true;
  for (;;) {
    const auto next = frames_.lower_bound(frameKey(sequence, 0));
    if (next == frames_.end() || sequenceOf(next->first) != sequence) return;
    const LargeFrame frame = next->second;
    frames_.erase(next);
    drop(frame);  // its callback may change them
    if (frame.receiver != nullptr) endPart(*frame.receiver, UCS_ERR_CANCELED);  // it has not come
  }
}

bool LargeFrames::hasCome(std::uint64_t key) const noexcept {
  const auto found = frames_.find(key);
  return found != frames_.end() && found->second.hasCome();
}

LargeFrame LargeFrames::take(std::uint64_t key) noexcept {
  const auto found = frames_.find(key);
  const LargeFrame taken = found->second;
  frames_.erase(found);
  return taken;
}

void LargeFrames::drop(const LargeFrame& frame) noexcept {
  if (frame.announcement) incoming_.drop(frame.announcement);
  if (frame.sender != nullptr) endPart(*frame.sender, UCS_OK);
}

LargeFrames::Revoked LargeFrames::revokeNext(const EndpointState& endpoint,
                                             std::uint64_t from) noexcept {
  Revoked revoked;
  for (auto at = frames_.lower_bound(from); at != frames_.end();) {
    Operation* const sender = at->second.sender;
    if (revoked.sender != nullptr && sequenceOf(at->first) != revoked.sequence) break;
    const bool is_its = revoked.sender != nullptr
                            ? sender == revoked.sender
                            : sender != nullptr && sender->endpoint == &endpoint;
    if (is_its) revoked = {sender, sequenceOf(at->first), revoked.frames + 1};
    at = is_its ? frames_.erase(at) : std::next(at);
  }
  return revoked;
}

void LargeFrames::end(ucs_status_t status) noexcept {
  const auto waiting = std::exchange(frames_, {});
  for (const auto& [key, frame] : waiting) {
    if (frame.hasCome()) drop(frame);
    if (frame.receiver != nullptr) endPart(*frame.receiver, status);
  }
}

}  // namespace ucxx::core
