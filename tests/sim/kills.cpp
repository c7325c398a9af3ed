// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Processes that are killed in the middle of something: at a phase (src/base/phases.h) of what they
// do, or while they copy. Their code goes on to where it was called from, but nobody sees any of
// it.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/phase.h"
#include "sim/schedule.h"

namespace ucxx::sim {
namespace {

/// In the real door, which is not here.
constexpr base::Phase kElsewhere[] = {base::Phase::None, base::Phase::HelloSent,
                                      base::Phase::HelloHeard, base::Phase::HelloAnswered};

base::Phase somePhase(Random& random) {
  constexpr auto kCount = static_cast<std::size_t>(base::Phase::Count);
  auto phase = base::Phase::None;
  while (std::find(std::begin(kElsewhere), std::end(kElsewhere), phase) != std::end(kElsewhere))
    phase = static_cast<base::Phase>(random.below(kCount));
  return phase;
}

}  // namespace

bool Schedule::mayKill() const noexcept {
  return weather_ == Weather::Deadly || weather_ == Weather::Storm;
}

void Schedule::setTrap() {
  disarm();
  if (!mayKill() || !world_->manners.local || random_.chance(20)) return;
  base::trap.spring = []() noexcept { World::current().at_phase(); };
  base::trap.passes = 1 + static_cast<int>(random_.below(std::size_t{1} << random_.below(7)));
  base::trap.phase = somePhase(random_);
}

void Schedule::disarm() { base::trap.phase = base::Phase::None; }

void Schedule::killRunning() {
  const pid_t running = world_->processes.running();
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& node) {
    return node.process == running && node.worker != nullptr && !node.killed;
  });
  if (found == nodes_.end()) {
    base::trap.passes = 1;  // the next one, then
    return;
  }
  ++killed_;
  die(*found);
  setTrap();
}

void Schedule::die(Node& node) {
  node.killed = true;
  world_->processes.kill(node.process);
}

/// Of those that are dead, once none of their code is under way.
void Schedule::bury() {
  for (Node& node : nodes_) {
    if (node.killed && node.worker != nullptr && !node.moving && depth_ == 0) destroy(node, true);
  }
}

/// Whoever has met one that was killed knows it by now, or waits for it no longer. In deadly
/// weather nothing else has ended.
void Schedule::checkBereaved() {
  if (!mayKill()) return;
  world_->pass(std::chrono::minutes(1));
  settle();
  for (const End& end : ends_) {
    if (weather_ == Weather::Deadly && end.close_callbacks != 0 && !end.node->killed &&
        !end.peer->killed)
      wrong(fmt::format("end {} has failed, but its peer lives", end.uid));
  }
  for (const Job& job : jobs_) {
    if (job.status != UCS_INPROGRESS || job.end == nullptr || job.node->worker == nullptr) continue;
    if (job.end->peer->killed && !job.end->closing)
      wrong("pending although its peer was killed: " + describe(job) + "\n" +
            job.node->worker->describe());
  }
}

}  // namespace ucxx::sim
