// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <vector>

#include "peers/kills/result.h"
#include "peers/party.h"

namespace ucxx::kills {

using peers::Environment, peers::Party, peers::RunFailed;

/// Performs runs: one survivor and one witness live through many, until one fails; each has a
/// victim of its own.
class Orchestrator {
 public:
  explicit Orchestrator(const Options& options);

  /// Never throws for what a run may find.
  Result run(const Plan& plan);
  /// The survivors end as programs do. Throws RunFailed.
  void finish();

 private:
  void startSurvivors();
  nlohmann::json hear(Party& party, std::chrono::milliseconds limit);
  nlohmann::json hearVictim();
  std::uint64_t victimsSteps() const;
  std::string obituaries(std::string_view known);
  void perform(Result& result);
  void meet(Result& result);
  void awaitFault(Result& result);
  void awaitPhase(Result& result);
  void stopFor(const Plan& plan);
  void closeOver(const Plan& plan);
  void requireMoves();
  void kill(Result& result);
  void hearVerdict(Result& result);
  std::string describeAll();

  const Environment environment_;
  std::vector<std::unique_ptr<Party>> busy_;
  std::unique_ptr<Party> survivor_, witness_;
  std::unique_ptr<Party> victim_, next_victim_;
  std::uintptr_t steps_at_ = 0;  // in the victim's memory
};

}  // namespace ucxx::kills
