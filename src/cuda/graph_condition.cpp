// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/graph_condition.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <ucxx/condition.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/log.h"
#include "core/loop.h"
#include "cuda/enqueue.h"
#include "cuda/post_checks.h"
#include "cuda/words.h"

namespace ucxx {

Condition Condition::graph(CUgraph_st* graph, const std::vector<CUgraphNode_st*>& after,
                           const ConditionOptions& options) {
  constexpr const char* kWhat = "Condition::graph";
  if (graph == nullptr) throw InvalidParamError(fmt::format("{}: the graph is null", kWhat));
  cuda::attachCurrent(kWhat);
  return Condition(
      std::make_shared<cuda::GraphCondition>(cuda::GraphPlace{graph, after, nullptr}, options));
}

CUgraphNode_st* Condition::node() const noexcept {
  const auto* const its_graph = dynamic_cast<const cuda::GraphCondition*>(state());
  return its_graph == nullptr ? nullptr : its_graph->node();
}

namespace cuda {
namespace {

constexpr unsigned kNoSynchronization = 1;  // CU_USER_OBJECT_NO_DESTRUCTOR_SYNC
constexpr unsigned kMove = 1;               // CU_GRAPH_USER_OBJECT_MOVE
constexpr unsigned kSetDependencies = 1;    // CU_STREAM_SET_CAPTURE_DEPENDENCIES

ConditionOptions repeating(ConditionOptions options) {
  options.repeat = true;
  return options;
}

/// Which requests are of a graph.
struct Nodes {
  std::mutex mutex;
  std::unordered_map<const core::Operation*, Node> by_operation;
};

Nodes& nodes() noexcept {
  static base::Immortal<Nodes> only;
  return *only;
}

using Held = std::shared_ptr<GraphCondition>;

/// A thread of the driver calls it, in which CUDA must not be called.
void onGraphEnd(void* data) {
  const std::unique_ptr<Held> held(static_cast<Held*>(data));
  (*held)->graphEnds();
}

}  // namespace

Node nodeOf(const core::Operation& op) noexcept {
  Nodes& all = nodes();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_operation.find(&op);
  return found == all.by_operation.end() ? nullptr : found->second;
}

GraphCondition::GraphCondition(GraphPlace place, const ConditionOptions& its_options)
    : core::TriggeredCondition(core::ConditionKind::Graph, repeating(its_options)),
      place_(std::move(place)) {}

void GraphCondition::post(core::Loop& loop, core::Operation& op) {
  const char* const what = toString(op.kind);
  base::requireNotForked();
  requireMover(loop, options.caller_progresses, what);
  refuseManaged(op);
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<core::Armed> armed = prepare(loop, op);
    if (node() == nullptr) node_.store(addNode(what), std::memory_order_release);
    Nodes& all = nodes();
    const std::lock_guard lock_of_all(all.mutex);
    all.by_operation.emplace(&op, node());
    take(loop, std::move(armed));
  }
  loop.submitArmed(op);
}

Node GraphCondition::addNode(const char* what) {
  const Driver& driver = requireDriver(what);
  Context context = nullptr;
  check(driver.getContext(&context), "cuCtxGetCurrent", what);
  const Address trigger = addressOf(&words().trigger(), context, what);
  const Address done = addressOf(&words().answer().done, context, what);
  MemoryOperation operations[]{writeOf(trigger, 1), waitForEqual(done, 1), writeOf(done, 0)};
  const base::cuda::BatchNode parameters{context, 3, operations, 0};
  letGraphKeepIt(what);
  Node made = nullptr;
  check(driver.addBatchNode(&made, place_.graph, place_.after.data(), place_.after.size(),
                            &parameters),
        "cuGraphAddBatchMemOpNode", what);
  if (place_.captured != nullptr)
    check(driver.updateCapture(place_.captured, &made, nullptr, 1, kSetDependencies),
          "cuStreamUpdateCaptureDependencies", what);
  return made;
}

void GraphCondition::letGraphKeepIt(const char* what) {
  const Driver& driver = requireDriver(what);
  auto held = std::make_unique<Held>(std::static_pointer_cast<GraphCondition>(shared_from_this()));
  base::cuda::UserObject object = nullptr;
  check(driver.createUserObject(&object, held.get(), onGraphEnd, 1, kNoSynchronization),
        "cuUserObjectCreate", what);
  (void)held.release();  // the object has it
  if (const Result result = driver.retainUserObject(place_.graph, object, 1, kMove);
      result != base::cuda::kSuccess) {
    driver.releaseUserObject(object, 1);
    check(result, "cuGraphRetainUserObject", what);
  }
}

void GraphCondition::trigger() {
  throw InvalidParamError("trigger: a graph triggers its transfers, in each launch");
}

std::uint64_t GraphCondition::epoch() const noexcept {
  return base::isForkedChild() ? 0 : ended_.load(std::memory_order_acquire);
}

std::uint64_t GraphCondition::takeTriggers() noexcept {
  if (words().trigger().load(std::memory_order_acquire) == 0) return triggers_;
  words().trigger().store(0, std::memory_order_relaxed);
  if (triggers_ == ended_) return ++triggers_;
  if (!std::exchange(is_busy_, true))
    base::log(LogLevel::Error, "cuda",
              "a graph is launched a second time while the first launch is under way: what it "
              "posts ends with BUSY from now on");
  ++owed_;
  return triggers_;
}

void GraphCondition::ended(const core::Armed& armed, ucs_status_t status) noexcept {
  if (lost_ == UCS_OK) lost_ = status;
  {
    Nodes& all = nodes();
    const std::lock_guard lock(all.mutex);
    all.by_operation.erase(&armed.op);
  }
  core::TriggeredCondition::ended(armed, status);
}

void GraphCondition::answer(ucs_status_t status) noexcept {
  ++owed_;
  if (status == UCS_OK) status = lost_;
  words().answer().status.store(is_busy_ ? UCS_ERR_BUSY : status, std::memory_order_relaxed);
  ++ended_;
  settle();
}

void GraphCondition::onLook() noexcept {
  if (owed_ != 0) settle();
}

/// One at a time: the graph sets `done` back.
void GraphCondition::settle() noexcept {
  auto& done = words().answer().done;
  if (owed_ != 0 && done.load(std::memory_order_relaxed) == 0) {
    --owed_;
    if (is_busy_) words().answer().status.store(UCS_ERR_BUSY, std::memory_order_relaxed);
    done.store(1, std::memory_order_release);
  }
  if (owed_ != 0) lookAgain();
}

}  // namespace cuda
}  // namespace ucxx
