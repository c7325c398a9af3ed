// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What a program does with prepared transfers.

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/loop/loop.h"
#include "core/request/host_memory.h"
#include "sim/schedule.h"

namespace ucxx::sim {
namespace {

constexpr std::size_t kMostPlans = 24;
constexpr std::uint64_t kMostIterations = 6;
constexpr std::uint64_t kPlanTags = 3;
constexpr std::size_t kMostWaiters = 400;
/// Each of these counts divides it.
constexpr std::size_t kParts = 24;

std::size_t somePartitions(Random& random) noexcept {
  constexpr std::size_t usual[] = {1, 1, 2, 4, 8, 24};
  constexpr std::size_t others[] = {3, 6, 12};
  return random.chance(90) ? usual[random.below(std::size(usual))]
                           : others[random.below(std::size(others))];
}

/// The words of a part, of which `kParts` are a payload. Of the largest only parts can be pushed.
/// Now and then the two ends do not agree.
std::size_t someWords(Random& random, std::uint64_t tag) noexcept {
  constexpr std::size_t words[] = {1, 60, 1400};
  const std::size_t usual = words[tag % std::size(words)];
  return random.chance(3) ? usual + 1 : usual;
}

}  // namespace

bool Schedule::isUsable(const PlanEnd& plan) noexcept {
  return plan.plan != nullptr && !plan.is_busy && plan.node->worker != nullptr &&
         !plan.node->killed && !plan.node->stalled;
}

void Schedule::planStep(End* end) {
  std::vector<PlanEnd*> usable;
  for (PlanEnd& plan : plans_) {
    if (isUsable(plan)) usable.push_back(&plan);
  }
  if (usable.empty() || random_.chance(20)) {
    if (end != nullptr && plans_.size() < kMostPlans) prepare(*end);
    return;
  }
  for (std::size_t times = 1 + random_.below(4); times > 0; --times) {
    PlanEnd& plan = *random_.pick(usable);
    if (isUsable(plan)) act(plan);
  }
}

/// Nobody may write behind it, either.
void Schedule::makeBuffer(PlanEnd& plan) {
  const std::size_t size = plan.shape.bytes + kGuardBytes;
  if (random_.chance(60)) plan.block = core::allocateMapped(size);
  if (plan.block == nullptr) plan.block = std::shared_ptr<std::byte[]>(new std::byte[size]);
  plan.buffer = {static_cast<std::byte*>(plan.block.get()), size};
  std::fill(plan.buffer.begin(), plan.buffer.end(), kUntouched);
}

void Schedule::prepare(End& end) {
  PlanEnd& plan = plans_.emplace_back();
  plan.node = end.node;
  plan.end = &end;
  plan.number = plans_.size();
  plan.sends = random_.chance(50);
  plan.tag = 1 + random_.below(kPlanTags);
  plan.shape.partitions = somePartitions(random_);
  const std::size_t words = random_.chance(4) ? 0 : someWords(random_, plan.tag);
  plan.shape.bytes = kParts * words * sizeof(std::uint64_t);
  if (words == 0) plan.shape.partitions = 1;
  makeBuffer(plan);
  rest(plan);
  const auto endpoint = end.endpoint;
  const PrepareOptions options{plan.shape.partitions};
  try {
    plan.plan = as(*plan.node, [&]() -> std::shared_ptr<Prepared> {
      if (plan.sends)
        return endpoint->prepareSend(plan.buffer.data(), plan.shape.bytes, Tag{plan.tag}, options);
      return endpoint->prepareRecv(plan.buffer.data(), plan.shape.bytes, Tag{plan.tag}, options);
    });
  } catch (const Error& error) {
    if (!isClosedByLimit(end, error)) throw;
    end.closing = true;
  }
  if (end.endpoint == nullptr) plan.plan = nullptr;  // dropped by a callback
}

void Schedule::act(PlanEnd& plan) {
  look(plan);
  const std::size_t choice = random_.below(100);
  if (choice < 2) return closePlan(plan);
  if (choice < 3) return dropPlan(plan);
  if (choice < 15) return waitFor(plan);
  if (!plan.runs && plan.plan->iterations() < kMostIterations) return start(plan);
  if (plan.runs && plan.sends) makeReady(plan);
}

/// Calls into the plan, whose callbacks leave it alone meanwhile.
template <class Act>
void Schedule::with(PlanEnd& plan, Act act) {
  const std::shared_ptr<Prepared> held = plan.plan;
  plan.is_busy = true;
  as(*plan.node, [&] { act(*held); });
  plan.is_busy = false;
}

void Schedule::start(PlanEnd& plan) {
  if (UCS_STATUS_IS_ERR(plan.plan->getStatus())) {  // nothing is touched
    with(plan, [](Prepared& its_plan) { its_plan.start(); });
    if (plan.plan != nullptr && plan.plan->isCompleted()) return;
    return wrong("a plan that has failed goes on: " + describe(plan));
  }
  checkRest(plan);
  plan.rested_sum.reset();
  plan.runs = true;
  const bool is_ready = plan.sends && plan.shape.partitions == 1;
  plan.ready.assign(plan.sends ? plan.shape.partitions : 0, is_ready);
  if (is_ready) fillParts(plan, 0, 1, plan.plan->iterations() + 1);
  with(plan, [](Prepared& its_plan) { its_plan.start(); });
}

void Schedule::fillParts(PlanEnd& plan, std::size_t first, std::size_t last,
                         std::uint64_t iteration) {
  const std::size_t each = plan.shape.bytes / plan.shape.partitions;
  fill(plan.buffer.subspan(first * each, (last - first) * each), plan.keyOf(iteration),
       first * each / sizeof(std::uint64_t));
}

void Schedule::readyParts(PlanEnd& plan, std::size_t first, std::size_t last) {
  if (first == last || plan.plan == nullptr) return;
  fillParts(plan, first, last, plan.plan->iterations());
  std::fill_n(plan.ready.begin() + static_cast<std::ptrdiff_t>(first), last - first, true);
  with(plan, [&](Prepared& its_plan) { static_cast<PreparedSend&>(its_plan).ready(first, last); });
}

/// One of those that are left, or a run of them.
void Schedule::makeReady(PlanEnd& plan) {
  const std::size_t count = plan.ready.size();
  std::size_t first = random_.below(count);
  for (std::size_t tries = 0; tries < count && plan.ready[first]; ++tries)
    first = (first + 1) % count;
  if (plan.ready[first]) return;
  std::size_t last = first + 1;
  while (last < count && !plan.ready[last] && random_.chance(70)) ++last;
  readyParts(plan, first, last);
}

void Schedule::readyRest(PlanEnd& plan) {
  for (std::size_t i = 0; i < plan.ready.size(); ++i) {
    if (!plan.ready[i]) readyParts(plan, i, i + 1);
  }
}

void Schedule::waitFor(PlanEnd& plan) {
  if (jobs_.size() > kMostWaiters) return;
  Job& job = newJob(OperationKind::PreparedEnd, *plan.node, plan.end);
  job.plan = &plan;
  auto told = callback(job);
  const auto its_plan = plan.plan;
  post(job, [&] { return its_plan->request(told); });
}

void Schedule::closePlan(PlanEnd& plan) {
  Job& job = newJob(OperationKind::PreparedEnd, *plan.node, plan.end);
  job.plan = &plan;
  job.closes_plan = true;
  plan.closing = true;
  auto told = callback(job);
  const auto its_plan = plan.plan;
  plan.is_busy = true;
  post(job, [&] { return its_plan->close(told); });
  plan.is_busy = false;
  if (plan.end->endpoint == nullptr) letGo(job);
}

/// Nobody tells when its buffer is free again.
void Schedule::dropPlan(PlanEnd& plan) {
  look(plan);
  plan.closing = true;
  as(*plan.node, [&] { std::exchange(plan.plan, nullptr).reset(); });
}

/// Callbacks may prepare others, of other endpoints.
void Schedule::dropPlans(const Node* node, const End* end) {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    PlanEnd& plan = plans_[i];
    if (plan.plan != nullptr && (plan.node == node || plan.end == end)) dropPlan(plan);
  }
}

}  // namespace ucxx::sim
