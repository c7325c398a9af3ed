// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using nlohmann::json;

struct Sweep {
  const char* what;
  const char* channel;
  const Environment& environment;
  std::size_t steps, enough, stride;
  bool threads = false;
};

json sweep(const Sweep& one) {
  Party poor("poor", one.environment);
  poor.tell({{"what", one.what},
             {"steps", one.steps},
             {"enough", one.enough},
             {"stride", one.stride},
             {"threads", one.threads}});
  return poor.hear(10 * kPatience);
}

std::size_t harmed(const json& result) {
  return result.at("wordless").get<std::size_t>() + result.at("stays").get<std::size_t>() +
         result.at("harmed").get<std::size_t>() + result.at("crashed").get<std::size_t>();
}

}  // namespace

Outcome runShortage(const Scale& scale) {
  // The last one falls short, see docs/explanation/faults.md: UCX ends the process.
  const std::vector<Sweep> all{
      {"descriptors", "local", kLocal, 200, 5, scale.of(1, 4)},
      {"descriptors", "UCX, TCP", kTcp, 200, 5, scale.of(1, 4)},
      {"allocations", "local", kLocal, 100'000, scale.of(10, 3), scale.of(1, 37)},
      {"allocations", "UCX, TCP", kTcp, 100'000, scale.of(10, 3), scale.of(1, 37)},
      {"allocations", "local, threads", kLocal, 100'000, scale.of(10, 3), scale.of(1, 37), true},
      {"allocations", "UCX, TCP, threads", kTcp, 100'000, scale.of(10, 3), scale.of(1, 37), true},
      {"addresses", "local", kLocal, 1000, 10, 1},
  };
  const auto sweeps = std::span(all).first(scale.of(all.size(), all.size() - 1));
  bool is_ok = true;
  std::string text;
  json figures = json::array();
  for (const Sweep& one : sweeps) {
    json result = sweep(one);
    const std::size_t bad = harmed(result);
    is_ok = is_ok && bad == 0;
    text += fmt::format(
        "{}{}, {}: {} tries, {} told, {} of these recovered, {} unharmed",
        text.empty() ? "" : "\n            ", one.what, one.channel,
        result.at("tried").get<std::size_t>(), result.at("recovered").get<std::size_t>() + bad,
        result.at("recovered").get<std::size_t>(), result.at("unharmed").get<std::size_t>());
    if (bad != 0)
      text += fmt::format(" (step:end {})",
                          fmt::join(result.at("bad").get<std::vector<std::string>>(), " "));
    result["what"] = one.what, result["channel"] = one.channel;
    figures.push_back(std::move(result));
  }
  return judged(is_ok, text, figures);
}

}  // namespace ucxx::faults
