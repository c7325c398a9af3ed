// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/victim.h"

#include <atomic>
#include <csignal>
#include <optional>

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/phase.h"
#include "peers/kills/driver.h"
#include "peers/kills/flow.h"
#include "peers/kills/meeting.h"
#include "peers/kills/parting.h"
#include "peers/kills/plan_json.h"
#include "peers/kills/steps.h"
#include "peers/lines.h"

namespace ucxx::kills {

using peers::nextLine;

namespace {

int trap_fd = -1;

std::atomic<bool> was_stopped{false};

void say() noexcept {
  static constexpr char kLine[] = "{\"at\":\"phase\"}\n";
  [[maybe_unused]] const ssize_t sent = ::send(trap_fd, kLine, sizeof kLine - 1, MSG_NOSIGNAL);
}

/// In any thread, inside the library: says so, and waits for the end.
void stayHere() noexcept {
  say();
  for (;;) ::pause();
}

/// With all threads, until somebody continues the process.
void stopHere() noexcept {
  was_stopped = true;
  say();
  ::raise(SIGSTOP);
}

void setTrap(const Plan& plan, int control_fd) {
  trap_fd = control_fd;
  base::trap.spring = plan.stopsAtPhase() ? stopHere : stayHere;
  base::trap.passes = plan.passes;
  base::trap.phase = plan.phase;
}

class Victim {
 public:
  Victim(tools::Control& control, std::shared_ptr<Worker> worker, const nlohmann::json& go)
      : control_(control),
        worker_(std::move(worker)),
        plan_(go.at("plan").get<Plan>()),
        driver_(worker_, control.fd()) {
    setTrap(plan_, control.fd());
    delayFor(plan_);
    driver_.set(plan_.victim_mode);
    meet(go);
  }

  /// Until somebody kills it.
  [[noreturn]] void run() {
    const std::chrono::microseconds sleep(plan_.pace != 0 ? plan_.pace : 1000);
    for (;;) {
      driver_.turn(sleep, awaited());
      if (endpoint_ == nullptr && reception_) receive(reception_->take());
      if (endpoint_ != nullptr) turn();
      if (driver_.hasControl()) answer();
    }
  }

 private:
  void meet(const nlohmann::json& go) {
    switch (plan_.meeting) {
      case Meeting::VictimIsCalled:
        reception_.emplace(*worker_);
        return control_.send({{"port", reception_->port()}});
      case Meeting::VictimCalls:
        return receive(
            worker_->createEndpointFromHostname("127.0.0.1", go.at("port").get<std::uint16_t>()));
      case Meeting::Addresses:
        control_.send({{"address", toHex(worker_->getAddress()->getStringView())}});
        receive(worker_->createEndpointFromWorkerAddress(
            createAddressFromString(fromHex(go.at("address")))));
    }
  }
  void receive(std::shared_ptr<Endpoint> endpoint) {
    endpoint_ = std::move(endpoint);
    if (endpoint_ == nullptr) return;
    if (plan_.victim_sends) out_.emplace(pool_, endpoint_, plan_, true, true);
    if (plan_.victim_receives) in_.emplace(pool_, endpoint_, plan_, false, false);
    if (out_) out_->pace = plan_.pace;
  }
  void turn() {
    const std::int64_t time = now();
    if (out_) out_->turn(time);
    if (in_) in_->turn(time);
    if (!closing_) check(out_), check(in_);
    if ((count() != 0 || hasFailed()) && !std::exchange(has_said_, true))
      control_.send({{"moves", true}});
    if (plan_.close_after != 0 && !plan_.survivor_closes &&
        count() >= static_cast<std::size_t>(plan_.close_after))
      close();
  }
  void check(const std::optional<Flow>& flow) {
    if (!flow) return;
    if (flow->wrong() != 0) fail("a payload is wrong");
    if (flow->endedTwice() != 0) fail("a request ended twice");
    const bool may_end = (plan_.survivor_closes && plan_.close_after != 0) || was_stopped;
    if (flow->status() != UCS_OK && !may_end)
      fail(fmt::format("a request ended with {}", static_cast<int>(flow->status())));
  }
  /// By a close of the survivor, which may come before any of ours has ended.
  bool hasFailed() const {
    return (out_ && out_->status() != UCS_OK) || (in_ && in_->status() != UCS_OK);
  }
  /// Leaves, and stays: then the link ends, too.
  void close() {
    if (!std::exchange(closing_, true)) {
      if (out_) out_->stop();
      if (in_) in_->stop();
      if (plan_.phase == base::Phase::ByeSent) partAtOnce(*worker_);
      closed_ = endpoint_->close();
    }
    if (closed_ != nullptr && !closed_->isCompleted()) return;
    if ((out_ && !out_->isIdle()) || (in_ && !in_->isIdle())) return;
    out_.reset();
    in_.reset();
    endpoint_.reset();
    reception_.reset();
  }
  [[noreturn]] void fail(const std::string& what) {
    control_.send({{"error", "victim: " + what}});
    ::_exit(1);
  }
  /// It is asked how far it is.
  void answer() {
    while (nextLine(control_)) control_.send({{"count", count()}});
  }
  Request* awaited() const {
    for (const std::optional<Flow>* flow : {&in_, &out_})
      if (Request* const first = *flow ? (*flow)->awaited() : nullptr) return first;
    return closed_.get();
  }
  std::size_t count() const { return (out_ ? out_->count() : 0) + (in_ ? in_->count() : 0); }

  tools::Control& control_;
  const std::shared_ptr<Worker> worker_;
  const Plan plan_;
  Driver driver_;
  Pool pool_;
  std::optional<Reception> reception_;
  std::shared_ptr<Endpoint> endpoint_;
  std::optional<Flow> out_, in_;
  std::shared_ptr<Request> closed_;
  bool has_said_ = false, closing_ = false;
};

}  // namespace

int runVictim(tools::Control& control) {
  auto worker = createContext()->createWorker();
  receiveOnDevice(*worker);
  control.send({{"steps_at", reinterpret_cast<std::uintptr_t>(&stepsThatMove())}});
  const auto go = control.receive(std::chrono::hours(1));
  Victim(control, std::move(worker), go).run();
}

}  // namespace ucxx::kills
