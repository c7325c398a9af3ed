// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

namespace ucxx::tools {
namespace {

/// Nearest rank; reorders the samples.
double percentile(std::vector<std::uint64_t>& samples, double part) {
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(samples.size())));
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(samples.begin(), at, samples.end());
  return static_cast<double>(*at);
}

std::vector<double> values(const std::vector<Measured>& measured, double (*get)(const Measured&)) {
  std::vector<double> result;
  result.reserve(measured.size());
  for (const Measured& one : measured) result.push_back(get(one));
  return result;
}

nlohmann::json toJson(const Middle& middle) {
  return {{"median", middle.median}, {"min", middle.least}, {"max", middle.most}};
}

nlohmann::json toJson(const std::vector<Measured>& measured, const Plan& plan) {
  const Middle average =
      middleOf(values(measured, [](const Measured& one) { return one.average_us; }));
  const Measured typical{.average_us = average.median,
                         .threads_us = std::vector<double>(measured.front().threads_us.size())};
  nlohmann::json json{{"average_us", toJson(average)},
                      {"gb_per_s", typical.gigabytesPerSecond(plan.bytes())},
                      {"messages_per_s", typical.messagesPerSecond()}};
  const auto add = [&](const char* name, std::optional<double> Measured::*part) {
    std::vector<double> parts;
    for (const Measured& one : measured)
      if (one.*part) parts.push_back(*(one.*part));
    if (!parts.empty()) json[name] = toJson(middleOf(parts));
  };
  add("p50_us", &Measured::p50_us);
  add("p90_us", &Measured::p90_us);
  add("p99_us", &Measured::p99_us);
  add("max_us", &Measured::max_us);
  if (measured.front().threads_us.size() > 1) {
    for (const Measured& one : measured) json["threads_us"].push_back(one.threads_us);
  }
  json["repetitions_us"] = values(measured, [](const Measured& one) { return one.average_us; });
  return json;
}

}  // namespace

template <class Divide>
Middle Row::ratios(Divide divide) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
    values.push_back(divide(ours[i], theirs[i]));
  return middleOf(values);
}

Measured measuredFrom(const std::vector<Timing>& timings, const Plan& plan) {
  const double parts = plan.test.isPingPong() ? 2 : 1;
  Measured result;
  std::vector<std::uint64_t> samples;
  for (const Timing& timing : timings) {
    result.threads_us.push_back(timing.seconds * 1e6 / static_cast<double>(plan.iterations) /
                                parts);
    samples.insert(samples.end(), timing.each_ns.begin(), timing.each_ns.end());
  }
  const std::vector<double>& each = result.threads_us;
  result.average_us =
      plan.test.metric == Metric::Bandwidth
          ? *std::max_element(each.begin(), each.end())
          : std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
  if (samples.empty()) return result;
  const auto at = [&](double part) { return percentile(samples, part) / 1e3 / parts; };
  result.p50_us = at(0.5);
  result.p90_us = at(0.9);
  result.p99_us = at(0.99);
  result.max_us = at(1);
  return result;
}

Middle middleOf(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

Middle Row::timeRatio() const {
  return ratios(
      [](const Measured& our, const Measured& their) { return our.average_us / their.average_us; });
}

Middle Row::typicalRatio() const {
  return ratios([](const Measured& our, const Measured& their) {
    return our.p50_us.value_or(our.average_us) / their.p50_us.value_or(their.average_us);
  });
}

Middle Row::rateRatio() const {
  return ratios(
      [](const Measured& our, const Measured& their) { return their.average_us / our.average_us; });
}

nlohmann::json toJson(const Row& row) {
  nlohmann::json json = toJson(row.plan);
  json["bytes"] = row.plan.bytes();
  json["received_in"] = nameOf(kMemoryKinds, row.received_in);
  json["ucxx"] = toJson(row.ours, row.plan);
  if (row.theirs.empty()) return json;
  json["ucx_perftest"] = toJson(row.theirs, row.plan);
  json["ratio"] = {{"time", toJson(row.timeRatio())}, {"rate", toJson(row.rateRatio())}};
  if (row.plan.test.metric == Metric::Latency) json["ratio"]["p50"] = toJson(row.typicalRatio());
  return json;
}

}  // namespace ucxx::tools
