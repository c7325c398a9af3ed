// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <csignal>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kLifeOfASender = 400ms;

struct Cancels {
  json counts;
  std::size_t count, kills;
  std::size_t of(const char* name) const { return counts.at(name); }
  bool isOk() const {
    return of("wrong") == 0 && of("late") == 0 && of("more_than_once") == 0 &&
           of("received") != 0 && of("cancelled") != 0;
  }
  std::string text(const char* channel) const {
    return fmt::format(
        "{}: {} receives: {} cancelled, {} received, {} lost with their sender; {} senders killed; "
        "late writes {}, ended more or less than once {}, wrong {}{}",
        channel, count, of("cancelled"), of("received"), of("lost"), kills, of("late"),
        of("more_than_once"), of("wrong"), counts.at("what").get<std::string>());
  }
};

Cancels cancelsOf(std::size_t count, std::uint64_t seed, const Environment& environment) {
  const std::vector<std::size_t> sizes{8, 2000, 40'000, 300'000};
  Party canceller("canceller", environment);
  const json port = canceller.hear(kPatience).at("port");
  canceller.tell({{"sizes", sizes}, {"count", count}, {"seed", seed}});
  std::size_t kills = 0;
  std::optional<json> answer;
  while (!answer) {
    Party sender("sender", environment);
    sender.tell({{"do", "stream"},
                 {"port", port},
                 {"sizes", sizes},
                 {"generation", kills},
                 {"seed", seed}});
    answer = canceller.hearSoon(kLifeOfASender);
    sender.signal(SIGKILL);
    ++kills;
    if (kills * kLifeOfASender > 3 * kPatience) throw std::runtime_error("it never ends");
  }
  canceller.finish();
  return {*answer, count, kills};
}

}  // namespace

Outcome runCancels(const Scale& scale) {
  const std::size_t count = scale.of(1'000'000, 40'000);
  const Cancels local = cancelsOf(count, scale.seed, kLocal);
  const Cancels tcp = cancelsOf(count, scale.seed, kTcp);
  return judged(local.isOk() && tcp.isOk(),
                local.text("local") + "\n            " + tcp.text("UCX, TCP"),
                {{"local", local.counts}, {"tcp", tcp.counts}});
}

}  // namespace ucxx::faults
