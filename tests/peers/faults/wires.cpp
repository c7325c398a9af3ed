// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "peers/faults/asked.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using nlohmann::json;

constexpr double kDetected = 2500;  // milliseconds

std::string textOf(const json& result, bool judges_times, bool& is_ok) {
  const std::string why = result.at("why");
  const bool is_right = why.empty() || result.value("may_end", false);
  std::string text = result.at("name").get<std::string>() + ": ";
  if (result.contains("detected_ms")) {
    const double ms = result.at("detected_ms");
    is_ok = is_ok && ms >= 0 && (!judges_times || ms <= kDetected);
    text += fmt::format("an error after {:.0f} ms, met again at try {}", ms,
                        result.at("tries").get<int>());
  } else if (result.contains("mib_per_s")) {
    text +=
        fmt::format("{} exchanges, {:.2f} MiB/s each way, the longest {:.0f} ms, {} frames harmed",
                    result.at("exchanges").get<std::size_t>(), result.at("mib_per_s").get<double>(),
                    result.at("longest_ms").get<double>(), result.at("harmed").get<std::size_t>());
  } else if (why.empty()) {
    text += fmt::format("{} exchanges", result.at("exchanges").get<std::size_t>());
  }
  is_ok = is_ok && is_right;
  return text + (why.empty() ? "" : (is_right ? ", then " : ", FAILED: ") + why);
}

}  // namespace

Outcome runWire(const Scale& scale) {
  std::vector<std::string> prefix;
  if (::geteuid() != 0) prefix = {"/usr/bin/unshare", "-Ur"};
  const std::string look = ::geteuid() == 0 ? "/usr/bin/unshare -n" : "/usr/bin/unshare -Urn";
  if (::access("/dev/net/tun", R_OK | W_OK) != 0)
    return notRun("this machine has no /dev/net/tun for us");
  if (std::system((look + " ip link >/dev/null 2>&1").c_str()) != 0)
    return notRun("this machine makes no network namespaces, or has no ip");
  Party box("wire", {}, prefix);
  box.tell({{"seed", scale.seed},
            {"ms", scale.quick ? 600 : 20'000},
            {"cuts", scale.quick ? 1 : 10},
            {"worst", !scale.quick}});
  const json results = box.hear(10 * kPatience).at("results");
  box.finish();
  bool is_ok = true;
  std::string text;
  for (const json& result : results)
    text += (text.empty() ? "" : "\n            ") + textOf(result, scale.judgesTimes(), is_ok);
  return judged(is_ok, text, results);
}

}  // namespace ucxx::faults
