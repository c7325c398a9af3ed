// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using nlohmann::json;

/// Allocators and UCX's pools keep some, and UCX has a timer: so much is no growth.
constexpr std::ptrdiff_t kSlackKib = 4096, kSlackDescriptors = 1;

struct Growth {
  std::ptrdiff_t kib, descriptors, threads;
  bool isNone() const {
    return kib <= kSlackKib && descriptors <= kSlackDescriptors && threads <= 0;
  }
};

Growth between(Party& party, const Held& before) {
  const Recovery recovery = awaitRecovery(party, before);
  return {recovery.kib, recovery.descriptors,
          static_cast<std::ptrdiff_t>(heldBy(party).threads) -
              static_cast<std::ptrdiff_t>(before.threads)};
}

constexpr std::size_t kRound = 1000;

struct Cycles {
  std::size_t count;
  Growth server{}, caller{};
  std::vector<double> times{};
  std::size_t failed = 0;
  bool isOk() const { return failed == 0 && server.isNone() && caller.isNone(); }
  std::string text(const char* channel) {
    const auto each = [&](const Growth& growth) {
      return fmt::format("{:+.1f} B a cycle, {:+} descriptors, {:+} threads",
                         static_cast<double>(growth.kib) * 1024 / static_cast<double>(count),
                         growth.descriptors, growth.threads);
    };
    return fmt::format("{}: {} cycles, {} failed, p50 {:.2f} ms; server {}; caller {}", channel,
                       count, failed, percentile(times, 0.5), each(server), each(caller));
  }
  json asJson() const {
    return {{"cycles", count},
            {"failed", failed},
            {"server_kib", server.kib},
            {"caller_kib", caller.kib},
            {"server_descriptors", server.descriptors},
            {"caller_descriptors", caller.descriptors}};
  }
};

Cycles cyclesOf(std::size_t count, const Environment& environment) {
  Service service(environment);
  Party caller("friend", environment);
  (void)caller.hear(kPatience);
  json connect{{"do", "connect"}, {"port", service.port}, {"sizes", {1000, 100'000}}};
  connect["count"] = std::max<std::size_t>(count / 10, 300);  // pools fill
  (void)ask(caller, connect);
  const Held server_before = heldBy(service.party), caller_before = heldBy(caller);
  Cycles cycles{.count = count};
  // In rounds: a slow machine needs minutes for all of them, and one that hangs is to be told
  // apart.
  for (std::size_t done = 0; done < count; done += kRound) {
    connect["count"] = std::min(kRound, count - done);
    const json answer = ask(caller, connect);
    const auto times = answer.at("times").get<std::vector<double>>();
    cycles.times.insert(cycles.times.end(), times.begin(), times.end());
    cycles.failed += answer.at("failed").get<std::size_t>();
  }
  cycles.server = between(service.party, server_before);
  cycles.caller = between(caller, caller_before);
  caller.finish();
  service.party.finish();
  return cycles;
}

}  // namespace

Outcome runCycles(const Scale& scale) {
  Cycles local = cyclesOf(scale.of(10'000, 1000), kLocal);
  Cycles tcp = cyclesOf(scale.of(10'000, 500), kTcp);
  return judged(local.isOk() && tcp.isOk(),
                local.text("local") + "\n            " + tcp.text("UCX, TCP"),
                {{"local", local.asJson()}, {"tcp", tcp.asJson()}});
}

}  // namespace ucxx::faults
