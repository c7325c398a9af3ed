// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <ucxx/api.h>

#include "core/plan/plan_wire.h"
#include "core/request/operation.h"
#include "sim/content.h"
#include "sim/world.h"

namespace ucxx::sim {

using core::OperationKind;

struct Node;

/// An endpoint of a node.
struct End {
  Node* node = nullptr;
  Node* peer = nullptr;
  std::uint64_t uid = 0;
  std::shared_ptr<Endpoint> endpoint;  // null once dropped
  bool closing = false;                // by its user
  int close_callbacks = 0;
  ucs_status_t closed_with = UCS_INPROGRESS;
  std::uint64_t stream_sent = 0;
  std::uint64_t stream_received = 0;
  std::set<std::uint64_t> stream_from;  // whose stream it can be
  bool stream_begun = false;
  bool stream_broken = false;  // a receive ended without its bytes
};

/// A worker and what its program holds.
struct Node {
  std::size_t index = 0;
  std::shared_ptr<Worker> worker;  // null once destroyed
  std::string worker_id;
  std::shared_ptr<Address> address;
  std::shared_ptr<Listener> listener;
  std::uint64_t door = 0;
  pid_t process = 0;
  bool killed = false;
  bool moving = false;   // its worker is being progressed
  bool stalled = false;  // ... and in the middle of a copy: its program does nothing
  std::vector<ucp_conn_request_h> asked;
  std::vector<Node*> askers;
  std::vector<std::shared_ptr<TagProbeInfo>> probes;
  std::vector<std::uint64_t> probe_orders;
};

/// A host condition of a node.
struct Trigger {
  Node* node = nullptr;
  Condition condition;  // none once dropped
  bool repeats = false;
  bool has_timeout = false;
  bool has_limit = false;  // ... of what has started: its endpoint may be closed
  bool closed = false;
  std::uint64_t posted = 0, triggered = 0;
};

/// An end of a prepared transfer.
struct PlanEnd {
  Node* node = nullptr;
  End* end = nullptr;
  bool sends = false;
  std::uint64_t number = 0;  // from 1, in the order of their making
  std::uint64_t tag = 0;
  core::PlanShape shape;
  std::shared_ptr<Prepared> plan;  // null once dropped
  std::shared_ptr<void> block;     // of the buffer
  std::span<std::byte> buffer;     // with some bytes behind it that nobody may write
  std::vector<bool> ready;         // of a send, in this iteration
  bool runs = false;               // an iteration has been started, and was not yet seen to end
  bool closing = false;            // by its user
  bool is_busy = false;            // one of its calls is under way
  ucs_status_t failure = UCS_OK;
  PlanEnd* sender = nullptr;                // of a receive, once bytes have told
  std::optional<std::uint64_t> rested_sum;  // of the buffer, while nobody may write it

  /// Of the words that it sends in an iteration.
  std::uint64_t keyOf(std::uint64_t iteration) const noexcept { return number << 32 | iteration; }
};

/// A message that was sent: its number, from 1, is its id.
struct Sent {
  OperationKind kind;
  std::uint64_t order = 0;   // of its start
  bool is_armed = false;     // it has not left yet
  bool is_repeated = false;  // it may come several times, each as good as the other
  Node* to = nullptr;
  std::uint64_t from = 0;  // uid of the end
  std::uint64_t tag = 0;
  std::size_t size = 0;
  std::vector<std::size_t> frames;
  int received = 0;
};

/// A request: what it was asked to do and what became of it.
struct Job {
  OperationKind kind;
  Node* node = nullptr;
  End* end = nullptr;
  std::shared_ptr<Request> request;  // null once dropped
  std::uint64_t order = 0;
  std::uint64_t id = 0;  // of its message, when known
  std::uint64_t tag = 0, mask = 0;
  std::size_t length = 0;
  std::uint64_t stream_offset = 0;
  std::vector<std::byte> buffer;
  std::vector<std::vector<std::byte>> frames;
  bool has_callback = false;
  bool cancelled = false;
  bool of_handle = false;      // a receive of what its sender may cancel
  Trigger* trigger = nullptr;  // that it waits for
  bool is_unordered = false;   // nobody knows when it has started
  PlanEnd* plan = nullptr;     // it waits for an iteration of that, or for its close
  bool closes_plan = false;
  bool posting = true;
  int callbacks = 0;
  ucs_status_t status = UCS_INPROGRESS;
  std::uint64_t ended_at_look = 0;  // of `pollJobs`
  bool checked = false;
  std::uint64_t final_sum = 0;  // of its buffer, when it ended
};

inline bool isPeersFault(ucs_status_t status) noexcept {
  return status == UCS_ERR_CONNECTION_RESET || status == UCS_ERR_ENDPOINT_TIMEOUT ||
         status == UCS_ERR_UNREACHABLE || status == UCS_ERR_REJECTED || status == UCS_ERR_TIMED_OUT;
}

/// How rough a schedule is.
enum class Weather {
  Calm,     ///< nobody closes, nothing breaks: every send must end with OK
  Deadly,   ///< the same for those that live, while others are killed
  Closing,  ///< endpoints are closed and dropped, workers destroyed
  Storm,    ///< and UCX endpoints fail, sockets break, processes are killed
};

/// One run: a few workers in one thread, a random program, and whatever contradicts the promises.
class Schedule {
 public:
  explicit Schedule(std::uint64_t seed);
  ~Schedule();
  /// What went wrong; empty when nothing did.
  const std::vector<std::string>& run();
  std::string name() const;
  /// How many processes were killed in the middle of something.
  unsigned killed() const noexcept { return killed_; }

 private:
  /// @name Life (schedule.cpp)
  /// @{
  void addNode();
  void program();
  void finish();
  void abandon();
  bool settle();
  void progressAll(bool& moved);
  bool progress(Node& node, bool once);
  void progressMeanwhile();
  void drain();
  void drainCalmly();
  bool drainOnce();
  void closeAll();
  void destroy(Node& node, bool kill);
  void checkLeftovers();
  /// @}

  /// @name Kills (kills.cpp)
  /// @{
  void setTrap();
  static void disarm();
  bool mayKill() const noexcept;
  void killRunning();
  void die(Node& node);
  void bury();
  void checkBereaved();
  /// @}

  /// @name Steps of a program (steps.cpp)
  /// @{
  void step();
  void meet();
  void meetBack(Node& from, Node& to);
  void accept(Node& node);
  void answer(Node& node, ucp_conn_request_h request);
  void tagSend(End& end);
  void tagRecv(Node& node, End* end);
  void amSend(End& end);
  void amRecv(End& end);
  void streamSend(End& end);
  void streamRecv(End& end);
  void multiSend(End& end);
  void multiRecv(End& end);
  void flush(Node& node, End* end);
  void probe(Node& node);
  void receiveProbed(Node& node);
  void cancel();
  void close(End& end);
  void drop(End& end);
  void dropRequest();
  /// Its endpoint and worker may go although somebody still looks at the request.
  static void letGo(Job& job);
  void fault();
  void progressSome();
  void postOn(End& end);
  void react(Job& job);
  /// @}

  /// @name Prepared transfers (prepared.cpp)
  /// @{
  void planStep(End* end);
  void prepare(End& end);
  void makeBuffer(PlanEnd& plan);
  void act(PlanEnd& plan);
  template <class Act>
  void with(PlanEnd& plan, Act act);
  void start(PlanEnd& plan);
  static void fillParts(PlanEnd& plan, std::size_t first, std::size_t last,
                        std::uint64_t iteration);
  void readyParts(PlanEnd& plan, std::size_t first, std::size_t last);
  void makeReady(PlanEnd& plan);
  void readyRest(PlanEnd& plan);
  void waitFor(PlanEnd& plan);
  void closePlan(PlanEnd& plan);
  void dropPlan(PlanEnd& plan);
  void dropPlans(const Node* node, const End* end);
  static bool isUsable(const PlanEnd& plan) noexcept;
  /// @}

  /// @name Promises of prepared transfers (plan_checks.cpp)
  /// @{
  void look(PlanEnd& plan);
  void lookAtPart(PlanEnd& plan, std::size_t partition);
  void learnSender(PlanEnd& plan, std::uint64_t key);
  static void rest(PlanEnd& plan);
  void checkRest(const PlanEnd& plan);
  void onPlanClosed(PlanEnd& plan);
  bool isLegal(const PlanEnd& plan, ucs_status_t status) const;
  bool hasMisfit(const PlanEnd& plan) const;
  void startPlans();
  void levelPlans();
  void level(PlanEnd& receive);
  bool isHeldBack(const PlanEnd& receive, const PlanEnd& send) const;
  void startAndReady(PlanEnd& plan);
  void checkPlanOrder();
  void checkPairing();
  static bool isSound(const PlanEnd& plan) noexcept;
  std::string describe(const PlanEnd& plan) const;
  /// @}

  /// @name Conditions (conditions.cpp)
  /// @{
  void conditionStep(Node& node);
  Condition arm(Job& job, Sent* sent = nullptr);
  void trigger(Trigger& trigger);
  void forgetOrder(Job& job);
  void closeTrigger(Trigger& trigger);
  void endTriggers();
  static bool isExplained(const Job& job, ucs_status_t status) noexcept;
  static bool mayEndWell(const Trigger& trigger) noexcept;
  void checkTriggers(const Node* gone);
  static bool isHeldUp(const Trigger& trigger) noexcept;
  static std::string describe(const Trigger& trigger);
  /// @}

  /// @name Promises (checks.cpp)
  /// @{
  void onEnd(Job& job, ucs_status_t status);
  void check(Job& job);
  void checkReceive(Job& job);
  void checkTag(Job& job);
  void checkAm(Job& job);
  void checkMulti(Job& job);
  void checkStream(Job& job);
  void receivedOnce(Job& job, std::uint64_t id, OperationKind kind, std::size_t size);
  bool hasLosses(const Job& close) const;
  bool isLegal(const Job& job, ucs_status_t status) const;
  bool isBereaved(const Job& job) const;
  void pollJobs();
  const Job& jobOf(const Job& receive) const;
  void checkOrder();
  void checkFailures();
  void checkFinal();
  /// @}

  /// While one lives, a call into the library is under way, which may call back.
  struct Inside {
    explicit Inside(unsigned& depth) noexcept : depth_(++depth) {}
    ~Inside() { --depth_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    unsigned& depth_;
  };
  /// What the program of a node does.
  template <class Act>
  auto as(const Node& node, Act act) {
    const Processes::Running running(world_->processes, node.process);
    const Inside inside(depth_);
    return act();
  }
  template <class Post>
  void post(Job& job, Post make) {
    // Its endpoint may fail at any time; then requests end at once, and never throw.
    try {
      job.request = as(*job.node, make);
    } catch (const Error& error) {
      if (job.end == nullptr || !isClosedByLimit(*job.end, error)) throw;
      refused(job);
    }
    posted(job);
  }
  void posted(Job& job);
  static void refused(Job& job);
  bool isClosedByLimit(const End& end, const Error& error) const;
  bool isOrderly() const noexcept { return weather_ <= Weather::Deadly; }
  Job& newJob(OperationKind kind, Node& node, End* end);
  End& newEnd(Node& node, Node& peer, std::shared_ptr<Endpoint> endpoint);
  RequestCallbackUserFunction callback(Job& job);
  Sent& newMessage(OperationKind kind, End& end, std::size_t size);
  std::size_t someSize();
  End* someEnd();
  Node* someNode();
  void wrong(const std::string& what);
  std::string describe(const Job& job) const;

  const std::uint64_t seed_;
  Random random_;
  Weather weather_;
  const bool gives_back_;  // receives that nobody wants give their messages back
  const unsigned plan_percent_, condition_percent_;  // of the steps
  std::unique_ptr<World> world_;
  std::deque<Node> nodes_;
  std::deque<End> ends_;
  std::deque<Job> jobs_;
  std::deque<Sent> sent_;
  std::deque<Trigger> triggers_;
  std::deque<PlanEnd> plans_;
  std::vector<std::string> wrongs_;
  std::uint64_t last_order_ = 0;
  unsigned depth_ = 0;
  std::uint64_t looks_ = 0;
  unsigned killed_ = 0;
  bool finishing_ = false;
  bool workers_destroyed_ = false;
};

}  // namespace ucxx::sim
