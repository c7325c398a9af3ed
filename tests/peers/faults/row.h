// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace ucxx::faults {

/// How much of a fault, and the seed of all that is random.
struct Scale {
  bool quick = false;
  std::uint64_t seed = 0;

  std::size_t of(std::size_t full, std::size_t quick_one) const { return quick ? quick_one : full; }
  /// The quick form is a test, beside others: how long something takes says nothing there.
  bool judgesTimes() const { return !quick; }
};

/// What came of a row.
struct Outcome {
  enum class State : std::uint8_t { Ok, Failed, NotRun } state = State::Failed;
  std::string figure;      ///< for people; of a row that was not run: why
  nlohmann::json figures;  ///< for programs
};

inline Outcome judged(bool ok, std::string figure, nlohmann::json figures = {}) {
  const auto state = ok ? Outcome::State::Ok : Outcome::State::Failed;
  return {state, std::move(figure), std::move(figures)};
}
inline Outcome notRun(std::string why) { return {Outcome::State::NotRun, std::move(why), {}}; }

/// One fault of the table in docs/explanation/faults.md.
struct Row {
  std::string_view name, injected, expected;
  Outcome (*run)(const Scale&);
};

std::span<const Row> allRows();

Outcome runStrangers(const Scale& scale);
Outcome runNeighbours(const Scale& scale);
Outcome runGarbage(const Scale& scale);
Outcome runCycles(const Scale& scale);
Outcome runCrowd(const Scale& scale);
Outcome runFlood(const Scale& scale);
Outcome runCancels(const Scale& scale);
Outcome runShortage(const Scale& scale);
Outcome runSignals(const Scale& scale);
Outcome runClocks(const Scale& scale);
Outcome runPlaces(const Scale& scale);
Outcome runWire(const Scale& scale);

}  // namespace ucxx::faults
