// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <new>
#include <string>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/rare_line.h"
#include "door/door.h"
#include "door/failed_proofs.h"
#include "door/half_open.h"

namespace ucxx::door {

/// One try to say why: a frame fits into a fresh socket, and nobody may cost the door more than
/// this.
void sayNo(int socket, Refusal reason) noexcept;

/// The half-open connections of a door, within its limits and oldest first (all have the same time,
/// so that is the order of their deadlines).
class HalfOpens {
 public:
  explicit HalfOpens(DoorState& door) : door_(door) {}

  /// Takes an accepted socket in. Over the limits the oldest is sent away for it, that of its
  /// address or of all, of those from whom nothing has come that is unread. Where many wrong proofs
  /// come from, it is held a moment, so that a short secret cannot be guessed fast.
  void admit(std::uint64_t listener, base::FileDescriptor socket, const SocketAddress& from);
  /// Sends an accepted socket away.
  void refuse(base::FileDescriptor socket, Refusal reason);
  /// Those who came through `listener`.
  void abandon(std::uint64_t listener);
  /// Logs that somebody is no friend; at most once a second for each kind of them.
  void report(Refusal reason, const std::string& stranger);
  void onWrongProof(const SocketAddress& stranger);
  /// Runs `step`, perhaps the last one, of `half_open`. Without memory for it the caller sees a
  /// hang-up, and the door lives on.
  template <class Step>
  void orDrop(HalfOpen& half_open, const Step& step) {
    try {
      step();
    } catch (const std::bad_alloc&) {
      take(half_open);
    }
  }
  /// Out of the list; what becomes of it is the caller's.
  std::unique_ptr<HalfOpen> take(HalfOpen& half_open);

  base::TimePoint nextDeadline() const noexcept;
  void onTime(base::TimePoint now);

 private:
  template <class Matches>
  HalfOpen* oldestOf(Matches matches) const;
  HalfOpen* inTheWayOf(const SocketAddress& from, bool is_held) const;
  bool makePlaceToWait(const SocketAddress& from);

  DoorState& door_;
  std::list<std::unique_ptr<HalfOpen>> all_;
  FailedProofs failed_proofs_;
  base::TimePoint release_at_ = base::TimePoint::max();  // of all who are held
  /// Of one kind of stranger: what a local user does often must not hide what comes from afar.
  base::RareLine strangers_, other_users_;
};

}  // namespace ucxx::door
