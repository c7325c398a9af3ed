// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/survives.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ucxx::faults {

std::string Stay::text() const {
  return fmt::format("{} exchanges, the longest {:.1f} ms, {} connects{}", exchanges, longest_ms,
                     connects, why.empty() ? "" : ", FAILED: " + why);
}

Stay stayTogether(Party& caller, std::uint16_t port, int ms) {
  Stay stay;
  const auto begun =
      ask(caller, {{"do", "exchange"}, {"port", port}, {"ms", ms}, {"pause_us", 500}});
  const auto answer = begun.contains("connected") ? caller.hear(kPatience) : begun;
  auto times = answer.at("times").get<std::vector<double>>();
  stay.exchanges = times.size();
  stay.longest_ms = percentile(times, 1);
  stay.why = answer.at("why");
  const auto connects = ask(caller, {{"do", "connect"}, {"port", port}, {"count", 20}});
  stay.connects = connects.at("times").size();
  stay.why += connects.at("why").get<std::string>();
  return stay;
}

}  // namespace ucxx::faults
