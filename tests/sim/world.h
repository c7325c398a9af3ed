// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "sim/processes.h"
#include "sim/random.h"

namespace ucxx::sim {

class Doors;
class Network;

/// How the network of a schedule behaves.
struct Manners {
  unsigned lanes = 1;            ///< 1: messages of an endpoint keep their order
  unsigned inline_percent = 50;  ///< operations that end inside their call
  unsigned eager_percent = 60;   ///< things that happen as soon as they can
  bool lossy = false;            ///< what is cut loses what was on its way
  bool tcp = true;               ///< the transport, which decides how large messages go
  bool local = false;            ///< workers are on one machine
  bool copies = true;            ///< ... whose kernel copies between them
  unsigned mapped_percent = 0;   ///< ... of which so many map each other's library memory
  unsigned refusal_percent = 0;  ///< ... but for so many of those copies
  unsigned stall_percent = 0;    ///< copies in whose middle others go on
  unsigned device_percent = 0;   ///< active messages and frames that are said to be on a device
};

/// What the fakes of one schedule share: time, chance, UCX's network and the doors. One at a time,
/// touched by one thread. Without one, time stands still.
class World {
 public:
  World(std::uint64_t seed, const Manners& manners);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  static World& current() noexcept;
  static World* currentOrNull() noexcept;

  /// From now on everything happens as soon as it can.
  void calm() noexcept;
  bool isCalm() const noexcept { return calm_; }
  /// Shall what could happen now wait?
  bool delays() noexcept { return !calm_ && !random.chance(manners.eager_percent); }
  bool endsInline() noexcept { return random.chance(manners.inline_percent); }
  /// The library broke a rule of the layers below.
  void complain(std::string what) { complaints.push_back(std::move(what)); }

  /// Never goes back; each look moves it a little, so that loops with a deadline end.
  base::TimePoint look() noexcept { return now_ += std::chrono::microseconds(1); }
  void pass(base::Duration time) noexcept { now_ += time; }

  /// What others do while a worker is in the middle of a copy between processes.
  std::function<void()> meanwhile;
  /// A process has come to the step of its code that was waited for.
  std::function<void()> at_phase;

  Manners manners;
  Random random;
  Processes processes;
  std::unique_ptr<Network> network;
  std::unique_ptr<Doors> doors;
  std::vector<std::string> complaints;

 private:
  base::TimePoint now_{std::chrono::seconds(1000)};
  bool calm_ = false;
};

}  // namespace ucxx::sim
