// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucs/type/status.h>

#include "local/chunks.h"
#include "local/claims.h"

namespace ucxx::core {

class EndpointState;
class RecallableMessages;
class Link;
class Offers;
struct Operation;

/// Messages that have left without their payload, and are to be their sender's again: it is as if
/// they had never been sent. Through a ring a claim in shared memory says at once who has one.
/// Elsewhere the receiver is asked, and drops it, or has begun to take it. Either way it hears of
/// it, and forgets the message. Part of a link.
class Recalls {
 public:
  Recalls(Link& link, Offers& offers, RecallableMessages& recallable) noexcept
      : link_(link), offers_(offers), recallable_(recallable) {}

  /// The claim of a message that leaves through the ring; `eager`: with its payload. 0: it needs
  /// none, or none is free.
  local::Claim claimFor(const Operation& op, bool eager);
  /// `op` ends with `status` if nobody has begun to take it. False: it has not ended; where only
  /// its receiver can tell, that is asked.
  bool recall(Operation& op, ucs_status_t status) noexcept;
  /// The peer has had the time to answer for sends of `endpoint`: they end if it has said nothing
  /// at all.
  void endUnanswered(EndpointState& endpoint) noexcept;

 private:
  void recallFromPeer(Operation& op, ucs_status_t status) noexcept;
  void recallFromSelf(Operation& op, ucs_status_t status) noexcept;
  bool mayAskFor(const Operation& op) const noexcept;
  bool mayRevoke(const Operation& op) const noexcept;
  void awaitAnswer(EndpointState& endpoint) noexcept;

  Link& link_;
  Offers& offers_;
  RecallableMessages& recallable_;
};

}  // namespace ucxx::core
