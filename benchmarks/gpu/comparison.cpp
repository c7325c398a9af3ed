// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "comparison.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gpu/step.h"

namespace gpu::bench {
namespace {

double inThousandths(double value) { return std::round(value * 1000) / 1000; }

}  // namespace

nlohmann::json spreadOf(std::vector<double> samples) {
  if (samples.empty()) throw std::runtime_error("no sample");
  std::sort(samples.begin(), samples.end());
  return {{"median", inThousandths(samples[samples.size() / 2])},
          {"lowest", inThousandths(samples.front())},
          {"highest", inThousandths(samples.back())}};
}

nlohmann::json foretold(const std::map<std::string, double>& by_ways) {
  nlohmann::json all;
  for (const auto& [way, value] : by_ways) all[way] = inThousandths(value);
  return all;
}

void Comparison::add(const char* way, std::function<double()> measure) {
  ways_.push_back({way, std::move(measure), {}});
}

void Comparison::run(int rounds) {
  for (int round = 0; round <= rounds; ++round) {
    for (Way& way : ways_) {
      at(way.name);
      const double sample = way.measure();
      if (round > 0) way.samples.push_back(sample);
    }
    std::reverse(ways_.begin(), ways_.end());
  }
}

nlohmann::json Comparison::spreads() const {
  nlohmann::json all;
  for (const Way& way : ways_) all[way.name] = spreadOf(way.samples);
  return all;
}

const std::vector<double>& Comparison::samplesOf(const std::string& name) const {
  for (const Way& way : ways_)
    if (way.name == name) return way.samples;
  throw std::runtime_error("nothing was measured by the way " + name);
}

nlohmann::json Comparison::byRounds(const std::string& way, const std::string& other,
                                    double (*combine)(double, double)) const {
  const auto& these = samplesOf(way);
  const auto& those = samplesOf(other);
  std::vector<double> combined;
  for (std::size_t round = 0; round < these.size(); ++round)
    combined.push_back(combine(these[round], those.at(round)));
  return spreadOf(std::move(combined));
}

nlohmann::json Comparison::ratio(const std::string& way, const std::string& to) const {
  return byRounds(way, to, [](double one, double other) { return one / other; });
}

nlohmann::json Comparison::less(const std::string& way, const std::string& than) const {
  return byRounds(way, than, [](double one, double other) { return other - one; });
}

}  // namespace gpu::bench
