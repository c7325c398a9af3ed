// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "peers/party.h"
#include "tools/perftest/control.h"

namespace ucxx::faults {

using Clock = std::chrono::steady_clock;
using peers::Environment, peers::Party;

/// Of one process for another; a machine that is busy or stands still for a while is not a fault.
inline constexpr std::chrono::seconds kPatience{120};

/// By UCX, or by the local channel.
inline const Environment kLocal{{"UCXX_LOCAL", "auto"}}, kTcp{{"UCXX_LOCAL", "off"}};

inline double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}
/// Sorts. 0 of none.
double percentile(std::vector<double>& values, double share);

/// Receives that "drain" has posted at a time.
inline constexpr std::size_t kPosted = 256;

/// What a role answers whoever it is: "resources", "signals" (how the handlers are).
void answerCommon(tools::Control& control, const nlohmann::json& line);

/// Tells, and returns the answer.
nlohmann::json ask(Party& party, const nlohmann::json& line);

/// What another process holds; `peak_kib`: the most memory so far.
struct Held {
  std::size_t descriptors = 0, threads = 0;
  std::ptrdiff_t resident_kib = 0, peak_kib = 0;
};
Held heldBy(Party& party);

struct Recovery {
  std::ptrdiff_t kib = 0;
  std::ptrdiff_t descriptors = 0;
  double ms = 0;
  bool isComplete(std::ptrdiff_t slack_kib = 1024) const {
    return kib <= slack_kib && descriptors <= 0;
  }
};
/// Asks until its memory and descriptors are as before, but for so much, or the time is over.
Recovery awaitRecovery(Party& party, const Held& before,
                       std::chrono::seconds time = std::chrono::seconds(3),
                       std::ptrdiff_t slack_kib = 1024);
/// A machine that does other things as well.
inline constexpr std::chrono::seconds kRecoversLate{30};

/// A server that is there, and its port.
struct Service {
  explicit Service(const Environment& environment, const std::string& host = "127.0.0.1",
                   const std::vector<std::string>& prefix = {});
  Party party;
  std::uint16_t port;
};

}  // namespace ucxx::faults
