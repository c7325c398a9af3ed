// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/row.h"
#include "peers/faults/survives.h"
#include "sim/random.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;

/// Stops the one or the other for a while, again and again, until it is to end.
class Stopper {
 public:
  Stopper(Party& one, Party& other, std::uint64_t seed, std::chrono::milliseconds longest)
      : thread_([&, seed, longest](const std::stop_token& end) {
          sim::Random random(seed);
          while (!end.stop_requested()) {
            Party& party = random.chance(50) ? one : other;
            const auto limit = static_cast<std::size_t>(longest.count());
            party.signal(SIGSTOP);
            std::this_thread::sleep_for(1ms * random.below(limit));
            party.signal(SIGCONT);
            ++stops_;
            std::this_thread::sleep_for(1ms * random.below(100));
          }
        }) {}
  std::size_t end() {
    thread_.request_stop();
    thread_.join();
    return stops_;
  }

 private:
  std::size_t stops_ = 0;
  std::jthread thread_;
};

struct Result {
  Stay stay;
  std::size_t stops;
  std::ptrdiff_t handlers;  ///< beside the program's own
  std::string child;
  int exec;
  bool isOk() const {
    return stay.why.empty() && handlers == 0 && child.find("fork") != child.npos;
  }
};

Result resultOf(const Scale& scale, const Environment& environment) {
  Service service(environment);
  Party caller("friend", environment);
  (void)caller.hear(kPatience);
  (void)ask(caller, {{"do", "storm"}});
  Stopper stopper(service.party, caller, scale.seed, scale.quick ? 200ms : 3000ms);
  Result result{};
  result.stay = stayTogether(caller, service.port, scale.quick ? 2000 : 30'000);
  result.stops = stopper.end();
  const auto forked = ask(caller, {{"do", "fork"}});
  result.child = forked.at("child");
  result.exec = forked.at("exec");
  result.stay.why +=
      ask(caller, {{"do", "connect"}, {"port", service.port}, {"count", 20}}).at("why");
  const auto handlers = ask(caller, {{"do", "signals"}}).at("handlers").get<std::string>();
  result.handlers = std::count(handlers.begin(), handlers.end(), 'h') - 2;
  caller.finish();
  service.party.finish();
  return result;
}

}  // namespace

Outcome runSignals(const Scale& scale) {
  bool is_ok = true;
  std::string text;
  nlohmann::json figures;
  for (const auto& [channel, environment] :
       {std::pair("local", kLocal), std::pair("UCX, TCP", kTcp)}) {
    const Result result = resultOf(scale, environment);
    is_ok = is_ok && result.isOk() && (result.exec == 0 || environment == kTcp);
    text += fmt::format(
        "{}{}: 2,000 signals a second and {} stops: {}; handlers of the library {}; a forked "
        "child: \"{}\"; {} descriptors stay open at an exec{}",
        text.empty() ? "" : "\n            ", channel, result.stops, result.stay.text(),
        result.handlers, result.child, result.exec, environment == kTcp ? " (UCX's)" : "");
    figures[channel] = {{"stops", result.stops}, {"exchanges", result.stay.exchanges}};
  }
  return judged(is_ok, text, figures);
}

}  // namespace ucxx::faults
