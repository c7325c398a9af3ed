// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <deque>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/raw.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// Of a friend that connects all the time. It pauses, so that it is not the load itself.
constexpr int kPauseUs = 3000;
constexpr auto kByteEvery = 1s;

/// Connections that say a byte of a hello each second, until they are hung up.
class Crowd {
 public:
  Crowd(std::uint16_t port, From from, std::uint64_t seed)
      : port_(port), from_(from), random_(seed), hello_(helloBytes(random_)) {}

  void come(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      auto socket = callRaw(port_, from_, random_);
      if (socket.get() < 0) {
        ++unmade_;
        continue;
      }
      waiting_.push_back({std::move(socket), 0, Clock::now()});
      ++made_;
    }
  }
  /// Those whose turn it is say their byte; those that were hung up go.
  void turn() {
    std::erase_if(waiting_, [](const One& one) { return isHungUp(one.socket); });
    most_ = std::max(most_, waiting_.size());
    const auto time = Clock::now();
    for (One& one : waiting_) {
      if (one.next > time || one.said == hello_.size() - 1) continue;
      (void)sendRaw(one.socket, std::span(hello_).subspan(one.said++, 1));
      one.next += kByteEvery;
    }
  }
  std::size_t made() const { return made_; }
  std::size_t unmade() const { return unmade_; }
  std::size_t most() const { return most_; }

 private:
  struct One {
    tools::Descriptor socket;
    std::size_t said;
    Clock::time_point next;
  };
  const std::uint16_t port_;
  const From from_;
  sim::Random random_;
  const std::vector<std::byte> hello_;
  std::deque<One> waiting_;
  std::size_t made_ = 0, unmade_ = 0, most_ = 0;
};

struct Times {
  explicit Times(const json& answer)
      : all(answer.at("times").get<std::vector<double>>()),
        failed(answer.at("failed")),
        why(answer.at("why")),
        p50(percentile(all, 0.5)),
        p99(percentile(all, 0.99)) {}
  std::vector<double> all;
  std::size_t failed;
  std::string why;
  double p50, p99;
};

/// How one friend fares, by one channel.
struct Fare {
  Times idle, during;
  Recovery recovery;
  std::size_t strangers, most;
  bool judges_times;
  bool isOk() const {
    return during.failed == 0 && !during.all.empty() && recovery.isComplete() &&
           (!judges_times || during.p50 <= 2 * idle.p50);
  }
  std::string text(const char* channel) const {
    return fmt::format(
        "{}: p50 {:.2f} ms idle, {:.2f} during; p99 {:.2f}, {:.2f}; {} connected, {} failed{}; {} "
        "strangers, {} at most at once; after them {:+} KiB, {:+} descriptors in {:.0f} ms",
        channel, idle.p50, during.p50, idle.p99, during.p99, during.all.size(), during.failed,
        during.why.empty() ? "" : " (" + during.why + ")", strangers, most, recovery.kib,
        recovery.descriptors, recovery.ms);
  }
  json asJson() const {
    return {{"idle_p50_ms", idle.p50},        {"idle_p99_ms", idle.p99},
            {"during_p50_ms", during.p50},    {"during_p99_ms", during.p99},
            {"connected", during.all.size()}, {"failed", during.failed},
            {"strangers", strangers},         {"kib_after", recovery.kib},
            {"recovery_ms", recovery.ms}};
  }
};

Fare fareOf(const Scale& scale, From from, const Environment& environment) {
  Service service(environment);
  Party caller("friend", environment);
  (void)caller.hear(kPatience);
  const int ms = scale.quick ? 2500 : 10000;
  const json connect{{"do", "connect"}, {"port", service.port}, {"ms", ms}, {"pause_us", kPauseUs}};
  (void)ask(caller, {{"do", "connect"}, {"port", service.port}, {"count", 200}});
  const Times idle(ask(caller, connect));
  const Held before = heldBy(service.party);

  const auto begin = Clock::now();
  const std::size_t count = scale.of(10000, 2500);
  std::optional<json> answer;
  std::size_t made = 0, most = 0;
  {
    Crowd crowd(service.port, from, scale.seed);
    crowd.come(std::min<std::size_t>(count, 200));  // the door is full when the friend comes
    caller.tell(connect);
    while (!(answer = caller.hearSoon(1ms))) {
      const auto share = (Clock::now() - begin) / std::chrono::duration<double>(ms * 1ms);
      const auto due = static_cast<std::size_t>(static_cast<double>(count) * std::min(1.0, share));
      if (due > crowd.made()) crowd.come(due - crowd.made());
      crowd.turn();
      if (Clock::now() - begin > kPatience) throw std::runtime_error("the friend never ends");
    }
    made = crowd.made(), most = crowd.most();
  }
  const Recovery recovery = scale.judgesTimes()
                                ? awaitRecovery(service.party, before)
                                : awaitRecovery(service.party, before, kRecoversLate);
  const Fare fare{idle, Times(*answer), recovery, made, most, scale.judgesTimes()};
  caller.finish();
  service.party.finish();
  return fare;
}

Outcome runBoth(const Scale& scale, From from) {
  const Fare local = fareOf(scale, from, kLocal), tcp = fareOf(scale, from, kTcp);
  return judged(local.isOk() && tcp.isOk(),
                local.text("local") + "\n            " + tcp.text("UCX, TCP"),
                {{"local", local.asJson()}, {"tcp", tcp.asJson()}});
}

}  // namespace

Outcome runStrangers(const Scale& scale) { return runBoth(scale, From::Elsewhere); }
Outcome runNeighbours(const Scale& scale) { return runBoth(scale, From::FriendsAddress); }

}  // namespace ucxx::faults
