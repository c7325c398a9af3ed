// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/channel/port.h"
#include "core/match/message.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/chunks.h"
#include "local/claims.h"

namespace ucxx::core {

class IncomingPayloads;

/// Messages of a peer that no receive has taken, and that their sender may recall: by a claim in
/// memory that both share (local/claims.h), or by a message that names their sequence. Part of a
/// link.
class RecallableMessages {
 public:
  RecallableMessages(Port& port, IncomingPayloads& incoming) noexcept
      : port_(port), incoming_(incoming) {}
  RecallableMessages(const RecallableMessages&) = delete;
  RecallableMessages& operator=(const RecallableMessages&) = delete;

  /// @name Claims
  /// @{
  /// The claim of a message that has such a header; 0: it has none.
  local::Claim claimIn(const WireHeader& header) const noexcept;
  /// From now on a message with this claim is the receiver's. False: the peer has recalled it.
  bool tryTake(local::Claim claim) noexcept {
    return claim == 0 || port_.local == nullptr ||
           local::take(port_.local->peerEnd().claims, claim);
  }
  bool isRecalled(local::Claim claim) const noexcept {
    return port_.local != nullptr && local::isRecalled(port_.local->peerEnd().claims, claim);
  }
  bool leavesGap(local::Claim claim) const noexcept {
    return port_.local != nullptr && claim != 0 &&
           local::leavesGap(port_.local->peerEnd().claims, claim);
  }
  /// @}

  /// @name Messages by their sequence
  /// @{
  /// A message is kept that may be recalled; until it is unlisted. Throws `std::bad_alloc`.
  void list(Message& message);
  /// A listed message is kept in this queue, not in a matcher.
  void noteQueue(MessageList& queue, const Message& message) noexcept;
  void unlist(Message& message) noexcept;
  /// Null: none is listed.
  Message* listed(std::uint32_t sequence) const noexcept;
  /// Nobody is to receive this message any more. False: it can not be dropped (any more).
  bool drop(std::uint32_t sequence) noexcept {
    const Kept kept = find(sequence);
    if (kept.message != nullptr) drop(kept);
    return kept.message != nullptr;
  }
  /// `message` has no receive, and its payload, which was to come all the same, does not.
  void dropTakenBack(const Message& message) noexcept;
  /// The peer recalls a message. A message that is not here any more has been taken, or dropped:
  /// the sender hears of that.
  void onRecall(std::uint64_t argument) noexcept;
  /// @}

 private:
  struct Kept {
    Message* message = nullptr;
    MessageList* queue = nullptr;  // null: a matcher's
  };
  Kept find(std::uint32_t sequence) const noexcept;
  void drop(const Kept& kept) noexcept;
  void cutStreamAt(Message& piece) noexcept;

  Port& port_;
  IncomingPayloads& incoming_;
  std::unordered_map<std::uint32_t, Kept> kept_;  // by sequence
};

}  // namespace ucxx::core
