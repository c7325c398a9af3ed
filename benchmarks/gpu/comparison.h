// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace gpu::bench {

/// The median of samples, and the lowest and the highest.
nlohmann::json spreadOf(std::vector<double> samples);

/// What a model (models.h) says, by ways: for a row, as its "model".
nlohmann::json foretold(const std::map<std::string, double>& by_ways);

/// Ways to do one thing, measured alternately in one run.
class Comparison {
 public:
  /// `measure` returns one sample.
  void add(const char* way, std::function<double()> measure);
  /// Each way once in a round; the first round, which warms up, does not count.
  void run(int rounds);

  nlohmann::json spread(const std::string& way) const { return spreadOf(samplesOf(way)); }
  /// All ways.
  nlohmann::json spreads() const;
  /// By rounds: how many times the other's.
  nlohmann::json ratio(const std::string& way, const std::string& to) const;
  /// By rounds: how much less than the other's.
  nlohmann::json less(const std::string& way, const std::string& than) const;

 private:
  struct Way {
    const char* name;
    std::function<double()> measure;
    std::vector<double> samples;
  };
  const std::vector<double>& samplesOf(const std::string& name) const;
  nlohmann::json byRounds(const std::string& way, const std::string& other,
                          double (*combine)(double, double)) const;
  std::vector<Way> ways_;
};

}  // namespace gpu::bench
