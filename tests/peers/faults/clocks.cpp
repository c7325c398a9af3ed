// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/row.h"
#include "peers/faults/survives.h"

namespace ucxx::faults {
namespace {

constexpr const char* kUnshare = "/usr/bin/unshare";

Environment jumping(Environment environment) {
  environment.emplace_back("UCXX_FAULTS_CLOCK", "jump");
  return environment;
}

Stay stayWith(int ms, const Environment& environment, const std::vector<std::string>& prefix) {
  Service service(environment);
  Party caller("friend", environment, prefix);
  (void)caller.hear(kPatience);
  const Stay stay = stayTogether(caller, service.port, ms);
  caller.finish();
  service.party.finish();
  return stay;
}

}  // namespace

Outcome runClocks(const Scale& scale) {
  const int ms = scale.quick ? 1000 : 20'000;
  const std::vector<std::string> tomorrow{kUnshare, "-T",         "--monotonic",
                                          "86400",  "--boottime", "86400"};
  const bool has_spaces =
      std::system("/usr/bin/unshare -T --monotonic 86400 true 2>/dev/null") == 0;
  std::string text;
  bool is_ok = true;
  nlohmann::json figures;
  const auto add = [&](const std::string& name, const Stay& stay) {
    is_ok = is_ok && stay.why.empty();
    text += (text.empty() ? "" : "\n            ") + name + ": " + stay.text();
    figures[name] = stay.exchanges;
  };
  add("time of day jumps, local", stayWith(ms, jumping(kLocal), {}));
  add("time of day jumps, UCX", stayWith(ms, jumping(kTcp), {}));
  if (has_spaces) {
    add("a day apart, local", stayWith(ms, kLocal, tomorrow));
    add("a day apart, UCX", stayWith(ms, kTcp, tomorrow));
  } else {
    text += "\n            a day apart: not run, this machine makes no time namespaces";
  }
  return judged(is_ok, text, figures);
}

}  // namespace ucxx::faults
