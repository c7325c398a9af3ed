// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <csignal>
#include <deque>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr std::size_t kProcesses = 8, kKilled = kProcesses / 2;
constexpr double kNoticed = 2500;  // milliseconds
/// Many at a time need more memory than one, and the heap keeps it.
constexpr std::ptrdiff_t kCrowdSlackKib = 8192;

struct Crowd {
  std::size_t each;  ///< endpoints of a process
  double met_ms;     ///< until all had exchanged a message
  double noticed_ms;
  std::size_t left, exchanges;  ///< endpoints at the server; of those that stay, since the kill
  Recovery recovery;
  std::string why;
  bool isOk(bool judges_times) const {
    return why.empty() && left == (kProcesses - kKilled) * each && exchanges != 0 &&
           recovery.isComplete(kCrowdSlackKib) && (!judges_times || noticed_ms <= kNoticed);
  }
  std::string text(const char* channel) const {
    return fmt::format(
        "{}: {} endpoints of {} processes meet in {:.0f} ms; {} processes are killed, the server "
        "has ended their endpoints after {:.0f} ms, {} are left; {} exchanges of the others, none "
        "failed{}; after them {:+} descriptors, {:+} KiB",
        channel, kProcesses * each, kProcesses, met_ms, kKilled, noticed_ms, left, exchanges,
        why.empty() ? "" : ", FAILED: " + why, recovery.descriptors, recovery.kib);
  }
  json asJson() const {
    return {{"endpoints", kProcesses * each},
            {"met_ms", met_ms},
            {"noticed_ms", noticed_ms},
            {"exchanges", exchanges}};
  }
};

/// How many endpoints the server has, when there are `wanted`, or after long.
std::size_t awaitEndpoints(Party& server, std::size_t wanted) {
  const auto end = Clock::now() + kRecoversLate;
  for (;;) {
    const std::size_t count = ask(server, {{"do", "endpoints"}}).at("endpoints");
    if (count == wanted || Clock::now() > end) return count;
    std::this_thread::sleep_for(1ms);
  }
}

Crowd crowdOf(const Scale& scale, const Environment& environment) {
  Service service(environment);
  Crowd crowd{};
  crowd.each = scale.of(125, 25);
  std::deque<Party> parties;
  for (std::size_t i = 0; i < kProcesses; ++i) {
    parties.emplace_back("friend", environment);
    (void)parties.back().hear(kPatience);
  }
  // What the first peer makes stays.
  (void)ask(parties.back(), {{"do", "connect"}, {"port", service.port}, {"count", 20}});
  const Held before = heldBy(service.party);
  const auto begin = Clock::now();
  for (Party& party : parties)
    party.tell({{"do", "crowd"},
                {"port", service.port},
                {"count", crowd.each},
                {"ms", scale.quick ? 1500 : 10'000}});
  for (Party& party : parties) {
    const json word = party.hear(kPatience);
    if (!word.contains("connected")) throw std::runtime_error(word.at("why").get<std::string>());
  }
  crowd.met_ms = milliseconds(Clock::now() - begin);
  const auto killed_at = Clock::now();
  for (std::size_t i = 0; i < kKilled; ++i) parties[i].signal(SIGKILL);
  crowd.left = awaitEndpoints(service.party, (kProcesses - kKilled) * crowd.each);
  crowd.noticed_ms = milliseconds(Clock::now() - killed_at);
  for (std::size_t i = kKilled; i < kProcesses; ++i) {
    const json answer = parties[i].hear(kPatience);
    crowd.exchanges += answer.at("exchanges").get<std::size_t>();
    crowd.why += answer.at("why").get<std::string>();
    parties[i].finish();
  }
  crowd.recovery = awaitRecovery(service.party, before, kRecoversLate, kCrowdSlackKib);
  service.party.finish();
  return crowd;
}

}  // namespace

Outcome runCrowd(const Scale& scale) {
  const Crowd local = crowdOf(scale, kLocal), tcp = crowdOf(scale, kTcp);
  const bool judges = scale.judgesTimes();
  return judged(local.isOk(judges) && tcp.isOk(judges),
                local.text("local") + "\n            " + tcp.text("UCX, TCP"),
                {{"local", local.asJson()}, {"tcp", tcp.asJson()}});
}

}  // namespace ucxx::faults
