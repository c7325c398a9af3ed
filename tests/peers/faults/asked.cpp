// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/asked.h"

#include <csignal>
#include <fstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "peers/resources.h"

namespace ucxx::faults {
namespace {

/// Since the process began.
std::size_t peakKib() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (std::size_t kib = 0; word == "VmHWM:" && file >> kib) return kib;
  return 0;
}

/// As text, to be compared.
std::string handlers() {
  std::string text;
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    ::sigaction(number, nullptr, &action);
    text += action.sa_handler == SIG_DFL ? 'd' : action.sa_handler == SIG_IGN ? 'i' : 'h';
  }
  return text;
}

}  // namespace

double percentile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(values.size() - 1, index)];
}

void answerCommon(tools::Control& control, const nlohmann::json& line) {
  if (line.at("do") == "signals") return control.send({{"handlers", handlers()}});
  const auto now = peers::Resources::now();
  control.send({{"descriptors", now.descriptors},
                {"threads", now.threads},
                {"resident_kib", now.resident_kib},
                {"peak_kib", peakKib()}});
}

nlohmann::json ask(Party& party, const nlohmann::json& line) {
  party.tell(line);
  return party.hear(kPatience);
}

Held heldBy(Party& party) {
  const auto line = ask(party, {{"do", "resources"}});
  return {line.at("descriptors"), line.at("threads"), line.at("resident_kib"), line.at("peak_kib")};
}

Recovery awaitRecovery(Party& party, const Held& before, std::chrono::seconds time,
                       std::ptrdiff_t slack_kib) {
  const auto begin = Clock::now();
  for (;;) {
    const Held now = heldBy(party);
    const Recovery recovery{now.resident_kib - before.resident_kib,
                            static_cast<std::ptrdiff_t>(now.descriptors) -
                                static_cast<std::ptrdiff_t>(before.descriptors),
                            milliseconds(Clock::now() - begin)};
    if (recovery.isComplete(slack_kib) || Clock::now() - begin > time) return recovery;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Service::Service(const Environment& environment, const std::string& host,
                 const std::vector<std::string>& prefix)
    : party("server", environment, prefix),
      port(ask(party, {{"host", host}}).at("port").get<std::uint16_t>()) {}

}  // namespace ucxx::faults
