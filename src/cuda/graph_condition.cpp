// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/graph_condition.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <ucxx/condition.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "base/log.h"
#include "core/condition/armed.h"
#include "core/loop/loop.h"
#include "cuda/enqueue.h"
#include "cuda/post_checks.h"
#include "cuda/words.h"

namespace ucxx {

Condition Condition::graph(CUgraph_st* graph, const std::vector<CUgraphNode_st*>& after,
                           const ConditionOptions& options) {
  constexpr const char* kWhat = "Condition::graph";
  if (graph == nullptr) throw InvalidParamError(fmt::format("{}: the graph is null", kWhat));
  if (const auto none = std::find(after.begin(), after.end(), nullptr); none != after.end())
    throw InvalidParamError(
        fmt::format("{}: after[{}] is null; a condition has its node from its first post on", kWhat,
                    none - after.begin()));
  const cuda::Context context = cuda::attachCurrent(kWhat);
  return Condition(std::make_shared<cuda::GraphCondition>(
      cuda::GraphPlace{.context = context, .graph = graph, .after = after}, options));
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

/// What `done` is, but for its lower half, when nobody answers any more.
constexpr std::uint64_t kOver = std::uint64_t{1} << 32;

/// What a graph keeps a condition by.
struct Keeper {
  std::shared_ptr<GraphCondition> condition;
  bool is_of_graph = false;  // else none has ever had it
};

/// A thread of the driver calls it, in which CUDA must not be called.
void onGraphEnd(void* data) {
  const std::unique_ptr<Keeper> keeper(static_cast<Keeper*>(data));
  if (keeper->is_of_graph) keeper->condition->graphEnds();
}

}  // namespace

GraphCondition::GraphCondition(GraphPlace place, const ConditionOptions& its_options)
    : core::TriggeredCondition(core::ConditionKind::Graph, repeating(its_options)),
      place_(std::move(place)) {}

void GraphCondition::post(core::Loop& loop, core::Operation& op) {
  const char* const what = toString(op.kind);
  base::requireNotForked();
  requireMover(loop, options.caller_progresses, what);
  const InContext context(place_.context, what);
  refuseManaged(op);
  addChecked(loop, op);
  core::submitArmed(loop, op);
}

/// All that may fail comes before the node, which a launch would wait for.
void GraphCondition::addChecked(core::Loop& loop, core::Operation& op) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<core::Armed> armed = prepare(loop, op);
  GraphNode& noted = noteNode(op);
  if (made_ == nullptr) node_.store(made_ = addNode(toString(op.kind)), std::memory_order_release);
  noted = {made_, place_.graph, place_.capture};
  take(loop, std::move(armed));
}

Node GraphCondition::addNode(const char* what) {
  const Driver& driver = requireDriver(what);
  const Address trigger = addressOf(&words().trigger(), place_.context, what);
  const Address done = addressOf(&words().answer().done, place_.context, what);
  MemoryOperation operations[]{writeOf(trigger, 1), waitFor(done, 1), writeOfHalf(done, 0)};
  const base::cuda::BatchNode parameters{place_.context, 3, operations, 0};
  letGraphKeepIt(what);
  Node made = nullptr;
  check(driver.addBatchNode(&made, place_.graph, place_.after.data(), place_.after.size(),
                            &parameters),
        "cuGraphAddBatchMemOpNode", what);
  if (place_.captured != nullptr) comeNextInCapture(made, what);
  return made;
}

/// A node that nobody answers must not stay.
void GraphCondition::comeNextInCapture(Node made, const char* what) const {
  const Driver& driver = requireDriver(what);
  const Result result = driver.updateCapture(place_.captured, &made, nullptr, 1, kSetDependencies);
  if (result != base::cuda::kSuccess) (void)driver.destroyNode(made);
  check(result, "cuStreamUpdateCaptureDependencies", what);
}

void GraphCondition::letGraphKeepIt(const char* what) {
  const Driver& driver = requireDriver(what);
  auto made = std::make_unique<Keeper>();
  made->condition = std::static_pointer_cast<GraphCondition>(shared_from_this());
  base::cuda::UserObject object = nullptr;
  check(driver.createUserObject(&object, made.get(), onGraphEnd, 1, kNoSynchronization),
        "cuUserObjectCreate", what);
  Keeper& keeper = *made.release();  // the object has it
  keeper.is_of_graph = true;
  const Result result = driver.retainUserObject(place_.graph, object, 1, kMove);
  if (result == base::cuda::kSuccess) return;
  keeper.is_of_graph = false;
  driver.releaseUserObject(object, 1);
  check(result, "cuGraphRetainUserObject", what);
}

void GraphCondition::trigger() {
  throw InvalidParamError("trigger: a graph triggers its transfers, in each launch");
}

std::uint64_t GraphCondition::epoch() const noexcept {
  return base::isForkedChild() ? 0 : ended_.load(std::memory_order_acquire);
}

std::uint64_t GraphCondition::takeTriggers() noexcept {
  if (words().trigger().load(std::memory_order_relaxed) == 0) return triggers_;
  if (words().trigger().exchange(0, std::memory_order_acq_rel) == kGraphHasGone) {
    noticeClose();
    return triggers_;
  }
  if (triggers_ == ended_) return ++triggers_;
  if (!std::exchange(is_busy_, true))
    base::log(LogLevel::Error, "cuda",
              "a graph is launched a second time while the first launch is under way: from now on "
              "the status of its condition is BUSY, and its launches may not wait for transfers");
  ++owed_;
  return triggers_;
}

void GraphCondition::ended(const core::Armed& armed, ucs_status_t status) noexcept {
  if (lost_ == UCS_OK) lost_ = status;
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

/// A launch that has triggered waits.
void GraphCondition::onCut() noexcept {
  if (takeTriggers() > ended_) answer(UCS_ERR_CANCELED);
}

void GraphCondition::onOver(ucs_status_t status) noexcept {
  if (isCut()) status = UCS_ERR_CANCELED;
  if (status != UCS_OK) words().answer().status.store(status, std::memory_order_relaxed);
  words().answer().done.store(kOver, std::memory_order_release);
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
