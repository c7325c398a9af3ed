// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/clock.h"
#include "core/channel/incoming.h"
#include "core/plan/plan_wire.h"
#include "core/plan/plan_words.h"
#include "core/wire/wire.h"

namespace ucxx::core {

class EndpointState;
class Port;
class Plan;
class RecvPlan;
class SendPlan;

/// The prepared transfers that the peer of a link knows of, and what the two ends say of them. The
/// sender's end offers it, and gives it a number; the receiver's answers when it has been prepared
/// as well. An end is known until the peer has answered to its close: nothing of the plan comes
/// after that. Part of a link.
class Plans {
 public:
  explicit Plans(Port& port) noexcept : port_(port) {}
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  Port& port() noexcept { return port_; }
  PlanWords& words() noexcept { return words_; }

  /// @name What the local side does
  /// @{
  /// The link is up: what was prepared on this endpoint meanwhile.
  void join(EndpointState& endpoint) noexcept;
  /// Throws `std::bad_alloc`. False: the link has too many.
  [[nodiscard]] bool offer(SendPlan& plan, const EndpointState& endpoint, std::uint64_t ready);
  /// A send of the local side that the peer has not closed.
  bool hasSend(std::uint64_t id) const noexcept { return sends_.count(id) != 0; }
  std::uint64_t nextId() const noexcept { return last_id_ + 1; }
  /// The oldest offer to this endpoint that has no receive gets it. False: there is none.
  bool match(RecvPlan& plan, EndpointState& endpoint);
  void answer(const RecvPlan& plan, const PlanAnswer& answer);
  void tellReady(const RecvPlan& plan, std::uint64_t iteration);
  void sayClose(Plan& plan) noexcept;
  /// The endpoint is over, or has become a part of another.
  void forget(EndpointState& endpoint) noexcept;
  void moves(EndpointState& from, EndpointState& to);
  /// After this no other thread touches memory of the peer any more.
  void quiesce() noexcept;
  /// @}

  /// @name After the link
  /// A peer that lives may still be in the middle of a write, as one that was stopped inside
  /// `ready`: what it may write to is kept until it has left the link, or has ended.
  /// @{
  void end() noexcept;
  bool areKept() const noexcept { return has_ended_ && !(sends_.empty() && offered_.empty()); }
  bool mayPeerWrite() noexcept;
  /// Lets go of all that the peer cannot touch any more.
  void letGo() noexcept;
  /// The loop ends before the peer: its words stay for good.
  void abandon() noexcept;
  /// @}

  /// What the peer says. False: it is nonsense.
  [[nodiscard]] bool take(const Incoming& message);

 private:
  /// A send of the peer.
  struct Offered {
    PlanOffer offer;
    std::uint64_t tag = 0;
    EndpointState* endpoint = nullptr;  // where it waits for its receive
    std::shared_ptr<RecvPlan> plan;     // its receive
  };

  bool canBeReady(const PlanOffer& offer) const noexcept;
  bool onOffer(const Incoming& message);
  bool onAnswer(const Incoming& message);
  bool onReady(const Incoming& message);
  bool onData(const Incoming& message);
  bool onClose(const Incoming& message);
  bool onClosed(const Incoming& message);
  std::shared_ptr<Plan> find(std::uint64_t id, bool is_own) const noexcept;
  void remove(std::uint64_t id, bool is_own) noexcept;
  template <class Visit>
  void forEach(const Visit& visit) const;
  void clear(ucs_status_t closed) noexcept;
  void say(MessageKind kind, std::uint64_t id, bool is_own, std::uint64_t argument);

  Port& port_;
  std::unordered_map<std::uint64_t, std::shared_ptr<SendPlan>> sends_;
  std::unordered_map<std::uint64_t, Offered> offered_;
  PlanWords words_;
  std::uint64_t last_id_ = 0;       // of the local side's
  std::uint64_t last_offered_ = 0;  // of the peer's
  bool has_ended_ = false;
  bool is_shared_ = false;     // the peer could write to some of them when it ended
  base::TimePoint look_at_{};  // then for the end of the peer
};

}  // namespace ucxx::core
