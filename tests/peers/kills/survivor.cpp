// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/survivor.h"

#include <thread>

#include <fmt/format.h>

#include "peers/kills/baseline.h"
#include "peers/kills/crowd.h"
#include "peers/kills/driver.h"
#include "peers/kills/encounter.h"
#include "peers/kills/plan_json.h"
#include "peers/kills/steps.h"
#include "peers/kills/taken.h"
#include "peers/kills/witness.h"
#include "peers/lines.h"

namespace ucxx::kills {

using peers::describeDescriptors, peers::nextLine;

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// A request that takes longer to end never does.
constexpr std::chrono::nanoseconds kLongestDetection = 5s;
/// The victim, which was stopped, has to get a core first.
constexpr std::chrono::nanoseconds kLongestClose = 20s;
/// A victim that was killed while it called may still be found in the queue of the listener.
constexpr std::chrono::nanoseconds kLateCall = 3ms;
/// For the witness's next messages, and for what belonged to the victim to go.
constexpr std::chrono::nanoseconds kLongestAftermath = 3s;
constexpr std::uint64_t kMessagesAfter = 3;
constexpr std::chrono::nanoseconds kLookAtResources = 2ms;  // it is slow
constexpr std::chrono::microseconds kSleep{500};
/// A limit is not over before so many turns, about a second of sleeps: where others keep cores
/// busy, time passes in which this process has not looked.
constexpr int kFewestTurns = 2000;

std::shared_ptr<Worker> makeWorker(Context& context) {
  WorkerOptions options;
  options.unexpected_bytes = 1 << 20;  // so that victims have to wait for credit, too
  auto worker = context.createWorker(options);
  receiveOnDevice(*worker);
  startCopies(worker);  // threads of the driver that stay: no leak
  return worker;
}

class Survivor {
 public:
  explicit Survivor(tools::Control& control)
      : control_(control), worker_(makeWorker(*context_)), driver_(worker_, control.fd()) {
    Crowd::expectAt(*worker_);
    const auto address = worker_->getAddress();  // opens all doors there are
    // A call that fails inside the machine goes on by UCX, which starts then: that is no leak.
    (void)worker_->getHandle();
    Reception reception(*worker_);
    control_.send({{"port", reception.port()}, {"address", toHex(address->getStringView())}});
    std::shared_ptr<Endpoint> witness;
    while ((witness = reception.take()) == nullptr) driver_.turn(kSleep);
    traffic_.emplace(std::move(witness), false);
    control_.send({{"serves", true}});
  }

  void run() {
    while (!is_over_) {
      turn();
      if (!driver_.hasControl()) continue;
      while (const auto line = nextLine(control_)) obey(*line);
    }
  }

 private:
  void turn() {
    driver_.turn(kSleep, encounter_ ? encounter_->awaited() : nullptr);
    if (!is_concluding_ && encounter_ && encounter_->plan().lazy != 0)
      std::this_thread::sleep_for(std::chrono::microseconds(encounter_->plan().lazy));
    const std::int64_t time = now();
    traffic_->turn(time);
    if (encounter_) encounter_->turn(time);
  }
  template <class Done>
  bool until(std::chrono::nanoseconds limit, Done done) {
    const std::int64_t end = now() + limit.count();
    for (int turns = 0; !done(); ++turns) {
      if (now() > end && turns >= kFewestTurns) return false;
      turn();
    }
    return true;
  }

  void obey(const json& line) {
    const std::string what = line.at("do");
    if (what == "begin") begin(line.at("plan").get<Plan>());
    if (what == "meet" && line.contains("port")) encounter_->callAtPort(line.at("port"));
    if (what == "meet" && line.contains("address")) encounter_->callAtAddress(line.at("address"));
    if (what == "close") close();
    if (what == "hold") control_.send({{what, hold()}});
    if (what == "await")
      control_.send({{what, until(kLongestClose, [&] { return encounter_->hasClosed(); })}});
    if (what == "killed") conclude(line.at("at").get<std::int64_t>());
    if (what == "describe") control_.send({{"describe", worker_->describe()}});
    if (what == "bye") is_over_ = true;
  }

  void begin(const Plan& plan) {
    delayFor(plan);
    baseline_.settle();
    driver_.set(plan.survivor_mode);
    encounter_.emplace(pool_, worker_, plan);
    control_.send(
        {{"port", encounter_->port()}, {"address", toHex(worker_->getAddress()->getStringView())}});
  }

  /// The victim is stopped.
  void close() {
    encounter_->close();
    control_.send({{"close", true}});
  }
  /// Whether nothing was given back since; takes memory that would be what was.
  bool hold() {
    taken_.emplace(context_, encounter_->plan().size);
    return encounter_->isHeld();
  }

  void conclude(std::int64_t killed_at) {
    json verdict{{"count", encounter_->count()}, {"transports", encounter_->transports()}};
    is_concluding_ = true;
    const std::string failure = judge(killed_at, verdict);
    is_concluding_ = false;
    verdict["outcome"] = failure.empty() ? "ok" : failure.substr(0, failure.find(':'));
    if (!failure.empty()) verdict["detail"] = failure + '\n' + worker_->describe();
    verdict["gap"] = traffic_->takeLongestGap(now());
    control_.send(verdict);
  }

  /// Empty, or "outcome: what exactly".
  std::string judge(std::int64_t killed_at, json& verdict) {
    const std::uint64_t received = traffic_->received();
    const auto has_ended = [&] {
      if (encounter_->endedAt() != 0) return true;
      return !encounter_->hasMet() && now() > killed_at + kLateCall.count();
    };
    const bool ended = until(kLongestDetection, has_ended);
    verdict["ended_at"] = encounter_->endedAt();
    if (!ended) return "hang: requests with the victim are pending";
    std::string failure = encounter_->verdict(killed_at);
    const Plan plan = encounter_->plan();
    if (taken_ && !taken_->isUntouched())
      failure = "harmed: memory was written that another had taken while the victim was stopped";
    taken_.reset();
    encounter_.reset();
    driver_.set(Mode::Sleep);
    if (failure.empty()) failure = judgeAftermath(received);
    pool_.look(plan.size);
    if (const std::size_t late = pool_.lateWrites(); late != std::exchange(late_writes_, late))
      failure = "canary: a buffer was written after its request had ended";
    return failure;
  }
  std::string judgeAftermath(std::uint64_t received) {
    const auto goes_on = [&] {
      return traffic_->received() >= received + kMessagesAfter || !traffic_->failure().empty();
    };
    const bool is_served = until(kLongestAftermath, goes_on);
    if (!traffic_->failure().empty()) return "witness: " + traffic_->failure();
    if (!is_served) return "witness: nothing comes from it any more";
    std::string excess = baseline_.excess();
    std::int64_t looked_at = now();
    const auto is_clean = [&] {
      if (!excess.empty() && now() - looked_at > kLookAtResources.count()) {
        excess = baseline_.excess();
        looked_at = now();
      }
      return excess.empty();
    };
    return until(kLongestAftermath, is_clean) ? ""
                                              : "leak: " + excess + '\n' + describeDescriptors();
  }

  tools::Control& control_;
  const std::shared_ptr<Context> context_ = createContext();
  const std::shared_ptr<Worker> worker_;
  Driver driver_;
  Baseline baseline_;
  Pool pool_;
  std::optional<Traffic> traffic_;
  std::optional<Encounter> encounter_;
  std::optional<Taken> taken_;
  std::size_t late_writes_ = 0;
  bool is_concluding_ = false, is_over_ = false;
};

}  // namespace

int runSurvivor(tools::Control& control) {
  Survivor(control).run();
  return 0;
}

}  // namespace ucxx::kills
