// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "peers/stacks.h"
#include "tools/perftest/control.h"
#include "tools/perftest/process.h"

namespace ucxx::peers {

/// Why a run has failed: a word, and what exactly.
class RunFailed : public std::runtime_error {
 public:
  RunFailed(std::string word, const std::string& detail)
      : std::runtime_error(detail), outcome(std::move(word)) {}
  const std::string outcome;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Another process of this program, in a role. Killed with its owner.
class Party {
 public:
  /// `prefix`: the program that starts it, by its path, and that one's arguments ("/usr/bin/env").
  Party(const std::string& role, const Environment& environment,
        const std::vector<std::string>& prefix = {});

  /// A line to it; that it has ended is seen when it is asked.
  void tell(const nlohmann::json& line);
  /// The next line of it. Throws RunFailed when it has ended or says that something is wrong
  /// ("crash"), or says nothing ("hang"). `look` is called now and then meanwhile, and may throw.
  nlohmann::json hear(std::chrono::milliseconds limit, const std::function<void()>& look = {});
  /// The next line, if it comes in time.
  std::optional<nlohmann::json> hearSoon(std::chrono::microseconds limit);
  /// Throws RunFailed when it has ended or says that something is wrong.
  void look();
  /// Whether it had said that something is wrong, before it ended: what; else empty.
  std::string lastWords();
  /// How it has ended, and what it said before that; empty while it runs.
  std::string obituary();
  pid_t pid() const { return child_.pid(); }
  bool isRunning() { return child_.isRunning(); }
  void signal(int number) const;
  Running running() const { return runningOf(child_.pid()); }
  /// What its threads do just now, for people.
  std::string stacks() const;
  /// Tells it to end, and waits. Throws RunFailed unless it ends well.
  void finish();
  /// Returns when no thread of it runs any more.
  void awaitEnd() const;
  /// The same, or when all of them are stopped.
  void awaitStop() const;

 private:
  void await(int states) const;
  Party(const std::string& role, const Environment& environment,
        const std::vector<std::string>& prefix,
        std::pair<tools::Control, tools::Descriptor> sockets);
  [[noreturn]] void explain(const std::exception& error);

  const std::string role_;
  tools::Control control_;
  tools::Child child_;
};

}  // namespace ucxx::peers
