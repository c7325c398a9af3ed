// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "door/attempt.h"
#include "door/door.h"

namespace ucxx::door {

struct DoorState;

/// One attempt to reach a door: all addresses connect at once, one at a time introduces this
/// worker. Owned by `Calls`. The functions that may tell the owner of the door say so; they may
/// destroy this object.
class Call {
 public:
  Call(DoorState& door, std::vector<SocketAddress> addresses, Hello hello, Descriptors descriptors,
       void* context, base::TimePoint deadline);

  void* context() const noexcept { return context_; }
  /// See the functions of `door.h`.
  std::string whatWasSaid() const;
  std::optional<Refusal> whyPutOff() const noexcept {
    return busy_ ? std::optional(busy_->reason) : std::nullopt;
  }
  /// It ends later.
  void extend(base::TimePoint deadline) noexcept;
  /// Begins, or begins again. Tells nobody; what ends it is told by `onTime`.
  void dial();
  /// When `onTime` has something to do.
  base::TimePoint due() const noexcept;
  /// May tell.
  void onTime();
  /// Ends with `status`, and tells.
  void end(ucs_status_t status);

  /// What the attempts report. May tell.
  void onConnected(Attempt& attempt);
  void onAnswered(Attempt& attempt);
  void onFailed(Attempt& attempt, ucs_status_t status);

  /// Kept for `Calls`: the `due` that it knows.
  base::TimePoint scheduled{};

 private:
  void remember(ucs_status_t failure, bool talked) noexcept;
  void remember(ucs_status_t status, const Refused* refused, bool talked) noexcept;
  void rememberTimeout() noexcept;
  void note(const SocketAddress& address, ucs_status_t failure);
  void onRefused(Attempt& attempt);
  bool saysLittle(const Refused& refused) const noexcept;
  void onWelcome(Attempt& attempt);
  void next(Attempt& failed);
  bool waitForTheBusy();
  void waitOrEnd();
  void end();
  bool isBusy() const noexcept { return refused_ && passes(refused_->reason); }
  bool isWaiting() const noexcept { return dial_again_ != base::TimePoint::max(); }

  DoorState& door_;
  const std::vector<SocketAddress> addresses_;
  const Hello hello_;
  const Descriptors descriptors_;
  void* const context_;
  base::TimePoint deadline_;
  std::vector<std::unique_ptr<Attempt>> attempts_;
  Attempt* speaker_ = nullptr;
  base::TimePoint dial_again_ = base::TimePoint::max();  // when it waits for a busy door
  std::chrono::milliseconds patience_;
  std::optional<Refused> busy_;  // what a door said for whose sake it waited

  // The most telling failure so far: whoever talked to this caller knows better than who could not
  // be reached.
  ucs_status_t status_ = UCS_ERR_UNREACHABLE;
  std::optional<Refused> refused_;
  bool talked_ = false;
  std::map<std::string, std::string_view> words_;  // the last word about each address
};

}  // namespace ucxx::door
