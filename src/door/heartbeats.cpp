// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/heartbeats.h"

#include <chrono>

#include "door/connection.h"

namespace ucxx::door {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(250);
// A beat is a system call of a few us; the loop must not stand still for thousands of them.
constexpr int kBeatsPerRound = 64;

}  // namespace

Heartbeats::~Heartbeats() {
  for (Member* member : resting_) member->forgetDoor();
  for (Member* member : beating_) member->forgetDoor();
}

void Heartbeats::join(Member& member) { member.place = resting_.insert(resting_.end(), &member); }

void Heartbeats::leave(Member& member) noexcept {
  (member.beating ? beating_ : resting_).erase(member.place);
}

void Heartbeats::start(Member& member) noexcept {
  if (member.lost) return;
  member.beating = true;
  member.due = base::Clock::now() + kPeriod;
  beating_.splice(beating_.end(), resting_, member.place);
}

base::TimePoint Heartbeats::nextDeadline() const noexcept {
  return beating_.empty() ? base::TimePoint::max() : beating_.front()->due;
}

void Heartbeats::onTime(base::TimePoint now) noexcept {
  for (int i = 0; i < kBeatsPerRound && nextDeadline() <= now; ++i) beat(*beating_.front(), now);
}

void Heartbeats::beat(Member& member, base::TimePoint now) noexcept {
  if (member.lost || !member.expected) return rest(member);
  member.expected = member.expecting;
  member.sendBeat();
  member.due = now + kPeriod;
  beating_.splice(beating_.end(), beating_, member.place);
}

void Heartbeats::rest(Member& member) noexcept {
  member.beating = false;
  member.setTense(false);
  resting_.splice(resting_.end(), beating_, member.place);
}

}  // namespace ucxx::door
