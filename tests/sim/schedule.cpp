// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "sim/schedule.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ucxx/options.h>

#include "core/loop/loop.h"
#include "sim/doors.h"
#include "sim/network.h"

namespace ucxx::sim {
namespace {

constexpr int kMaxRounds = 20000;  // of progress, until everything must have ended
/// An endpoint that has not met its peer in time ends with TIMED_OUT, however well both are. In
/// orderly weather no program is so late: it is over by then. Who was killed is given up in the
/// minute of `checkBereaved`.
constexpr auto kLongestProgram = std::chrono::seconds(30);

std::shared_ptr<Context> context(bool local) {
  static const auto far = createContext({{"UCXX_LOCAL", "off"}}, UCP_FEATURE_AM);
  static const auto near = createContext({{"UCXX_LOCAL", "auto"}}, UCP_FEATURE_AM);
  return local ? near : far;
}

Weather weatherOf(std::uint64_t seed) noexcept {
  return static_cast<Weather>(Random(seed ^ 0x77).below(4));
}

Manners mannersOf(std::uint64_t seed, Weather weather) {
  Random random(seed ^ 0x3a);
  Manners manners;
  manners.lanes = 1 + static_cast<unsigned>(random.below(3));
  manners.inline_percent = 10 + static_cast<unsigned>(random.below(90));
  manners.eager_percent = 10 + static_cast<unsigned>(random.below(90));
  manners.lossy = weather == Weather::Storm;
  manners.tcp = random.chance(60);
  manners.local = random.chance(50) || weather == Weather::Deadly;
  manners.copies = random.chance(70);
  manners.stall_percent = random.chance(50) ? 0 : 50;
  manners.mapped_percent = random.chance(30) ? 0 : 80;
  manners.refusal_percent = random.chance(50) ? 0 : static_cast<unsigned>(random.below(60));
  manners.device_percent = random.chance(40) ? 0 : static_cast<unsigned>(random.below(60));
  if (manners.device_percent != 0) manners.refusal_percent = 0;  // what was staged comes only once
  return manners;
}

FakeWorker& fakeOf(Worker& worker) { return *reinterpret_cast<FakeWorker*>(worker.getHandle()); }

}  // namespace

Schedule::Schedule(std::uint64_t seed)
    : seed_(seed),
      random_(seed),
      weather_(weatherOf(seed)),
      gives_back_(Random(seed ^ 0x5b).chance(30)),
      plan_percent_(Random(seed ^ 0x9d).chance(50) ? 45 : 0),
      condition_percent_(Random(seed ^ 0xc1).chance(40) ? 15 : 0),
      world_(std::make_unique<World>(seed, mannersOf(seed, weather_))) {
  world_->meanwhile = [this] { progressMeanwhile(); };
  world_->at_phase = [this] { killRunning(); };
  setTrap();
}

Schedule::~Schedule() { disarm(); }

std::string Schedule::name() const {
  static constexpr const char* kNames[] = {"calm", "deadly", "closing", "storm"};
  return fmt::format("seed {} ({})", seed_, kNames[static_cast<int>(weather_)]);
}

void Schedule::wrong(const std::string& what) {
  if (wrongs_.size() < 20) wrongs_.push_back(what);
}

const std::vector<std::string>& Schedule::run() {
  const std::size_t count = (weather_ == Weather::Deadly ? 3 : 2) + random_.below(2);
  for (std::size_t i = 0; i < count; ++i) addNode();
  try {
    program();
    finish();
  } catch (const std::exception& error) {
    wrong(std::string("an exception that nothing explains: ") + error.what());
    abandon();
  }
  for (const std::string& complaint : world_->complaints) wrong(complaint);
  return wrongs_;
}

void Schedule::addNode() {
  WorkerOptions options;
  options.close_timeout = std::chrono::seconds(1);  // nobody receives any more at the end
  options.unexpected_bytes = std::size_t{1} << (9 + random_.below(14));
  options.announcements = 1 + static_cast<std::uint32_t>(random_.below(8));
  options.multi_bytes = 64 << 20;
  options.cuda_buffer_type = BufferType::Host;
  if (isOrderly()) options.connect_timeout = kLongestProgram;
  Node& node = nodes_.emplace_back();
  node.index = nodes_.size() - 1;
  node.process = world_->processes.start();
  const Processes::Running running(world_->processes, node.process);
  node.worker = createWorker(context(world_->manners.local), options);
  node.worker_id = toString(node.worker->loop().id());
  node.door = world_->doors->lastDoor();
  node.address = node.worker->getAddress();
  node.address->setParent(nullptr);  // it would keep the worker
  node.listener = node.worker->createListener(
      0,
      [](ucp_conn_request_h request, void* self) {
        static_cast<Node*>(self)->asked.push_back(request);
      },
      &node, "127.0.0.1");
}

void Schedule::program() {
  meet();
  const std::size_t steps = 20 + random_.below(80);
  for (std::size_t i = 0; i < steps && wrongs_.empty(); ++i) {
    step();
    bury();
    progressSome();
    bury();
    pollJobs();
  }
}

bool Schedule::progress(Node& node, bool once) {
  const Processes::Running running(world_->processes, node.process);
  const std::shared_ptr<Worker> worker = node.worker;
  worker->loop().lookOften();
  const bool was_moving = std::exchange(node.moving, true);
  const bool moved = once ? worker->progressOnce() : worker->progress();
  node.moving = was_moving;
  return moved;
}

/// Those that do not wait for the copy go on, as processes of their own.
void Schedule::progressMeanwhile() {
  std::vector<Node*> stalled;
  for (Node& node : nodes_) {
    if (node.moving && !std::exchange(node.stalled, true)) stalled.push_back(&node);
  }
  for (std::size_t times = random_.below(4); times > 0; --times) {
    if (Node* node = someNode()) progress(*node, true);
  }
  if (mayKill() && !finishing_ && random_.chance(2)) {
    ++killed_;
    die(*random_.pick(stalled));
  }
  for (Node* node : stalled) node->stalled = false;
}

void Schedule::progressAll(bool& moved) {
  for (Node& node : nodes_) {
    if (node.worker == nullptr) continue;
    if (progress(node, false)) moved = true;
    if (node.worker != nullptr) accept(node);
  }
  pollJobs();
}

/// Progresses until nothing moves, whatever time passes. False: it never stops.
bool Schedule::settle() {
  int quiet = 0;
  for (int i = 0; i < kMaxRounds; ++i) {
    bool moved = false;
    progressAll(moved);
    quiet = moved ? 0 : quiet + 1;
    if (quiet == 16) return true;
    if (!moved) world_->pass(std::chrono::microseconds(100 << quiet));
  }
  wrong("it never comes to rest");
  return false;
}

void Schedule::finish() {
  world_->calm();
  finishing_ = true;
  disarm();
  endTriggers();
  settle();
  checkBereaved();
  if (isOrderly()) drainCalmly();
  closeAll();
  checkTriggers(nullptr);
  checkLeftovers();
  while (Node* node = someNode()) destroy(*node, false);
  checkFinal();
}

/// Their callbacks look at what a schedule has.
void Schedule::abandon() {
  for (Node& node : nodes_) {
    if (node.worker != nullptr) destroy(node, false);
  }
}

/// Takes whatever waits for a receive; false when nothing does.
bool Schedule::drainOnce() {
  bool found = false;
  for (Node& node : nodes_) {
    if (node.worker == nullptr) continue;
    probe(node);
    found = found || !node.probes.empty();
    receiveProbed(node);
  }
  for (std::size_t k = ends_.size(); k-- > 0;) {
    End& end = ends_[k];
    if (end.endpoint == nullptr || end.peer->killed) continue;
    if (end.node->worker->amProbe(end.endpoint->getHandle())) {
      found = true;
      amRecv(end);
    }
    // A repetition that nobody takes would hold back what is announced after it.
    const auto waits = [&](const Sent& sent) {
      return sent.kind == OperationKind::MultiSend && sent.to == end.node && !sent.is_armed &&
             (sent.received == 0 || sent.is_repeated);
    };
    const auto receives = [&](const Job& job) {
      return job.kind == OperationKind::MultiRecv && job.node == end.node && job.mask == 0 &&
             job.status == UCS_INPROGRESS;
    };
    if (std::any_of(sent_.begin(), sent_.end(), waits) &&
        std::none_of(jobs_.begin(), jobs_.end(), receives)) {
      found = true;
      multiRecv(end);
    }
  }
  return found;
}

/// What comes to rest may have brought more.
void Schedule::drain() {
  settle();
  for (int i = 0; i < 300 && drainOnce() && settle(); ++i) {
  }
}

/// Receives all that was sent; then no send may be left.
void Schedule::drainCalmly() {
  startPlans();
  for (End& end : ends_) {
    if (end.endpoint != nullptr && !end.peer->killed) streamRecv(end);
  }
  drain();
  const auto pends = [](const Job& job) {
    if (job.trigger != nullptr && isExplained(job, job.status)) return false;
    if (job.trigger != nullptr && isHeldUp(*job.trigger)) return false;
    return job.status != UCS_OK && core::isOutgoing(job.kind) && !job.node->killed &&
           !job.end->peer->killed;
  };
  levelPlans();
  drain();
  for (const Job& job : jobs_) {  // a stream that nobody reads may hold back what is behind it
    if (job.kind == OperationKind::StreamSend && pends(job)) return;
  }
  for (const Job& job : jobs_) {
    if (pends(job))
      wrong("a send has not ended although everything was received: " + describe(job));
  }
}

void Schedule::closeAll() {
  std::vector<End*> open;
  for (End& end : ends_) {
    if (end.endpoint != nullptr) open.push_back(&end);
  }
  while (!open.empty()) {
    const std::size_t index = random_.below(open.size());
    End& end = *open[index];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(index));
    if (end.endpoint == nullptr) continue;
    random_.chance(70) ? close(end) : drop(end);
    bool moved = false;
    if (random_.chance(50)) progressAll(moved);
  }
  settle();
  checkFailures();
  for (Job& job : jobs_) {
    if (job.status != UCS_INPROGRESS || job.node->worker == nullptr) continue;
    if (job.end != nullptr)
      wrong("pending although all is closed: " + describe(job) + "\n" +
            job.node->worker->describe());
    if (random_.chance(50) && job.request != nullptr) {
      job.cancelled = true;
      job.request->cancel();
    }
  }
}

/// Closed endpoints, ended requests, links: nothing of them may be left in a loop.
void Schedule::checkLeftovers() {
  for (Node& node : nodes_) dropPlans(&node, nullptr);
  for (End& end : ends_) end.endpoint = nullptr;
  for (Job& job : jobs_) letGo(job);
  settle();
  std::string texts;
  bool left = false;
  for (Node& node : nodes_) {
    if (node.worker == nullptr) continue;
    const std::string text = node.worker->describe();
    texts += fmt::format("\nnode {}: ", node.index) + text;
    left = left || text.find(" 0 endpoints, ") == std::string::npos ||
           text.find("UCX channel") != std::string::npos ||
           text.find("local channel") != std::string::npos;
  }
  if (left) wrong("endpoints or links are left: " + texts);
}

void Schedule::destroy(Node& node, bool kill) {
  if (weather_ != Weather::Deadly || !kill) workers_destroyed_ = true;
  const Processes::Running running(world_->processes, node.process);
  if (kill) {
    if (!node.killed) die(node);
    world_->network->kill(fakeOf(*node.worker));
    world_->doors->kill(node.door);
  }
  node.listener = nullptr;
  node.probes.clear();
  node.probe_orders.clear();
  node.asked.clear();
  for (End& end : ends_) {
    if (end.node == &node) end.closing = true;
  }
  dropPlans(&node, nullptr);
  for (Job& job : jobs_) {
    if (job.node == &node) letGo(job);
  }
  for (End& end : ends_) {
    if (end.node == &node) end.endpoint = nullptr;
  }
  const std::weak_ptr<Worker> gone = node.worker;
  node.worker = nullptr;
  if (!gone.expired()) wrong("somebody keeps a worker:\n" + gone.lock()->describe());
  pollJobs();
  for (const Job& job : jobs_) {
    if (job.node == &node && job.status == UCS_INPROGRESS &&
        (job.has_callback || job.request != nullptr))
      wrong("pending although its worker is gone: " + describe(job));
  }
  checkTriggers(&node);
}

}  // namespace ucxx::sim
