// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/result.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "peers/kills/phases.h"
#include "peers/kills/plan_json.h"
#include "tools/ucx_in_use.h"

namespace ucxx::kills {
namespace {

using nlohmann::json;

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(values.size() - 1, index)];
}

/// Runs of one kind.
struct Sum {
  std::size_t kills = 0, failures = 0, missed = 0;
  std::vector<double> first, since_kill, since_end;  // milliseconds

  void add(const Result& result) {
    ++kills;
    failures += !result.isOk();
    missed += result.plan.phase != base::Phase::None && !result.is_at_phase;
    if (result.firstMs() >= 0) first.push_back(result.firstMs());
    if (result.detectionMs() < 0) return;
    since_kill.push_back(result.detectionMs());
    since_end.push_back(std::max(0.0, static_cast<double>(result.ended_at - result.dead_at) / 1e6));
  }
  json asJson() const {
    return {{"kills", kills},
            {"failures", failures},
            {"missed", missed},
            {"first_ms_p99", percentile(first, 0.99)},
            {"first_ms_max", percentile(first, 1)},
            {"detection_ms_p50", percentile(since_kill, 0.5)},
            {"detection_ms_p99", percentile(since_kill, 0.99)},
            {"detection_ms_max", percentile(since_kill, 1)},
            {"since_end_ms_p50", percentile(since_end, 0.5)},
            {"since_end_ms_p99", percentile(since_end, 0.99)}};
  }
};

/// Of a phase that so many victims were to get to, one does.
constexpr std::size_t kTries = 50;

std::string_view protocolOf(const Result& result) { return protocols()[result.plan.protocol].name; }

template <class Key>
std::string table(const char* title, const std::vector<Result>& results, Key key) {
  std::map<std::string_view, Sum> sums;
  std::vector<std::string_view> order;
  for (const Result& result : results) {
    if (!sums.contains(key(result))) order.push_back(key(result));
    sums[key(result)].add(result);
  }
  std::sort(order.begin(), order.end());
  std::string text =
      fmt::format("\n{:<18} {:>7} {:>8} {:>7} {:>9} {:>8} {:>8} {:>12} {:>8} {:>12} {:>8}\n", title,
                  "kills", "failures", "missed", "kill: p50", "p99", "max ms", "end: p50", "p99 ms",
                  "first: p99", "max ms");
  for (const auto& name : order) {
    const Sum& sum = sums[name];
    text += fmt::format(
        "{:<18} {:>7} {:>8} {:>7} {:>9.2f} {:>8.2f} {:>8.2f} {:>12.2f} {:>8.2f} {:>12.2f} {:>8.2f}"
        "\n",
        name, sum.kills, sum.failures, sum.missed, percentile(sum.since_kill, 0.5),
        percentile(sum.since_kill, 0.99), percentile(sum.since_kill, 1),
        percentile(sum.since_end, 0.5), percentile(sum.since_end, 0.99),
        percentile(sum.first, 0.99), percentile(sum.first, 1));
  }
  return text;
}

std::string matrix(const std::vector<Result>& results) {
  std::map<std::string_view, std::map<std::string_view, Sum>> cells;
  for (const Result& result : results)
    cells[nameOf(result.plan.phase)][protocolOf(result)].add(result);
  std::string text = fmt::format("\n{:<18}", "kills (failures)");
  for (const Protocol& protocol : protocols()) text += fmt::format(" {:>13}", protocol.name);
  for (auto& [phase, row] : cells) {
    text += fmt::format("\n{:<18}", phase);
    for (const Protocol& protocol : protocols()) {
      const Sum& sum = row[protocol.name];
      const std::string failed = sum.failures != 0 ? fmt::format(" ({})", sum.failures) : "";
      text += fmt::format(" {:>13}", sum.kills == 0 ? "" : fmt::format("{}{}", sum.kills, failed));
    }
  }
  return text + '\n';
}

json asJson(const Options& options, const std::string& ucx, const Result& result,
            std::int64_t origin) {
  const auto seconds = [&](std::int64_t time) {
    return time == 0 ? json() : json(static_cast<double>(time - origin) / 1e9);
  };
  const Plan& plan = result.plan;
  json line{{"seed", options.seed},
            {"run", plan.run},
            {"commit", options.commit},
            {"ucx", ucx},
            {"channel", kChannels[static_cast<int>(options.channel)]},
            {"protocol", protocolOf(result)},
            {"size", plan.size},
            {"mode", kModes[static_cast<int>(plan.survivor_mode)]},
            {"victim_mode", kModes[static_cast<int>(plan.victim_mode)]},
            {"fault", kFaults[static_cast<int>(plan.fault)]},
            {"phase", nameOf(plan.phase)},
            {"at_phase", result.is_at_phase},
            {"t_fault", seconds(result.killed_at)},
            {"t_dead", seconds(result.dead_at)},  // the kernel takes its time, too
            {"t_detect", seconds(result.ended_at)},
            {"first_ms", result.firstMs() < 0 ? json() : json(result.firstMs())},
            {"gap_ms", static_cast<double>(result.gap) / 1e6},
            {"plan", plan},
            {"outcome", result.outcome}};
  if (!result.isOk()) line["detail"] = result.detail;
  return line;
}

}  // namespace

double Result::firstMs() const {
  return moved_at == 0 ? -1 : static_cast<double>(moved_at - met_at) / 1e6;
}

double Result::detectionMs() const {
  if (killed_at == 0 || ended_at == 0) return -1;
  return static_cast<double>(ended_at - killed_at) / 1e6;
}

std::string replayWords(const Options& options, const Result& result) {
  return fmt::format("ucxx_kills{} --seed {} --only {}", options.filter_words, options.seed,
                     result.plan.run);
}

std::string report(const Options& options, const std::vector<Result>& results) {
  std::string text = matrix(results);
  text += table("phase", results, [](const Result& result) { return nameOf(result.plan.phase); });
  text += table("protocol", results, protocolOf);
  text += table("survivor", results, [](const Result& result) {
    return kModes[static_cast<int>(result.plan.survivor_mode)];
  });
  text += table("fault", results,
                [](const Result& result) { return kFaults[static_cast<int>(result.plan.fault)]; });
  text += table("all", results,
                [&](const Result&) { return kChannels[static_cast<int>(options.channel)]; });
  for (const Result& result : results)
    if (!result.isOk())
      text += fmt::format("{}: {}\n", replayWords(options, result), result.outcome);
  return text;
}

std::vector<std::string_view> unreachedPhases(const std::vector<Result>& results) {
  std::map<std::string_view, Sum> sums;
  for (const Result& result : results)
    if (result.plan.phase != base::Phase::None) sums[nameOf(result.plan.phase)].add(result);
  std::vector<std::string_view> names;
  for (const auto& [name, sum] : sums)
    if (sum.kills >= kTries && sum.missed == sum.kills) names.push_back(name);
  return names;
}

json toJson(const Options& options, const std::vector<Result>& results) {
  const std::string ucx = tools::ucxInUse().version;
  const std::int64_t origin = results.empty() ? 0 : results.front().begun_at;
  json runs = json::array();
  std::map<std::string, Sum> cells;
  Sum all;
  std::map<std::string, std::size_t> outcomes;
  for (const Result& result : results) {
    runs.push_back(asJson(options, ucx, result, origin));
    cells[fmt::format("{} {}", protocolOf(result), nameOf(result.plan.phase))].add(result);
    all.add(result);
    ++outcomes[result.outcome];
  }
  json summary{{"all", all.asJson()}, {"outcomes", outcomes}};
  for (const auto& [name, sum] : cells) summary["by_protocol_and_phase"][name] = sum.asJson();
  return {{"summary", summary}, {"runs", runs}};
}

}  // namespace ucxx::kills
