// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "core/loop/deadlines.h"

namespace ucxx::core {

class Link;

/// How a link ends that nobody needs. It lingers for a while, then this side says goodbye, and ends
/// the link when the peer has answered; or the peer says goodbye, and ends the link when it has the
/// answer. An endpoint that opens meanwhile voids a goodbye: the link stays. Part of a link.
class Goodbye {
 public:
  explicit Goodbye(Link& link) noexcept;

  /// If nothing is on the link: begins to linger; when that is over says goodbye, or answers that
  /// of the peer. May throw `std::bad_alloc`.
  void sayIfUnneeded();
  /// Nothing is on the link, and it waits for somebody who needs it.
  bool isLingering() const noexcept { return linger_until_.isSet(); }
  /// From now on it does not wait for anybody who may need it: if nothing is on it, it says
  /// goodbye.
  void stopLingering() noexcept;
  /// One side has said goodbye, and nothing has voided that.
  bool isUnderWay() const noexcept { return said_ || answered_; }
  /// The peer hangs up when it has the answer.
  bool isAnswered() const noexcept { return answered_; }
  /// The peer has answered: the link ends.
  bool isAgreed() const noexcept { return agreed_; }

  /// @name What has happened
  /// @{
  void onBye(std::uint64_t number);
  void onAnswer(std::uint64_t number) noexcept;
  /// The answer to the goodbye of the peer has left.
  void onAnswerSent() noexcept;
  /// An endpoint is on the link.
  void onEndpointListed() noexcept;
  /// The peer is told of an endpoint: that is the answer to its goodbye.
  void onOpenSent() noexcept { owed_ = 0; }
  /// The peer has opened an endpoint, and so has not taken an answer for the end.
  void onOpen() noexcept {
    answered_ = false;
    owed_ = 0;
  }
  /// The open of the peer has crossed with the goodbye, which is void.
  void onOpenCrossed() noexcept { said_ = false; }
  void onLinkEnd() noexcept { linger_until_.clear(); }
  /// @}

 private:
  bool linger() noexcept;
  void lingerNoMore() noexcept;

  Link& link_;
  Deadline linger_until_;     // nothing is on the link: goodbye then
  std::uint64_t number_ = 0;  // of the last goodbye of this side: older answers mean nothing
  std::uint64_t owed_ = 0;    // the number of the peer's, which is not answered yet; 0: none
  bool may_linger_ = true;
  bool answering_ = false;  // an answer is on its way
  bool said_ = false;
  bool answered_ = false;
  bool agreed_ = false;
};

}  // namespace ucxx::core
