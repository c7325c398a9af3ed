// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Graphs and executable graphs.

#include "cuda/driver/graphs.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "cuda/driver/call.h"
#include "cuda/driver/graph.h"
#include "cuda/driver/operations.h"
#include "cuda/driver/streams.h"

struct CUgraphExec_st {
  std::shared_ptr<const stand_in::Plan> plan;
  std::vector<std::shared_ptr<void>> objects;  // user objects, as long as it may be replayed
  stand_in::Point last{stand_in::legacyState(), 0};
};

namespace stand_in {
namespace {

struct Execs {
  std::mutex mutex;  // guards them, too
  std::set<gpu::Exec> all;
};

Execs& execs() {
  static auto* const only = new Execs;
  return *only;
}

/// Kernels are loaded, which may wait for all streams.
Result prepare(const Plan& plan) {
  for (const Plan::Step& step : plan.steps) {
    if (step.task.prepare)
      if (const Result result = step.task.prepare(); result != kSuccess) return result;
    if (step.body != nullptr)
      if (const Result result = prepare(*step.body); result != kSuccess) return result;
  }
  return kSuccess;
}

Result changeBatch(CUgraphExec_st& exec, const Node* node, const BatchNode& parameters) {
  auto plan = std::make_shared<Plan>(*exec.plan);
  const auto step = std::find_if(plan->steps.begin(), plan->steps.end(),
                                 [&](const Plan::Step& each) { return each.node == node; });
  if (step == plan->steps.end() || step->task.type != gpu::kBatchNodeType) return kInvalidValue;
  const auto* const begin = parameters.operations;
  std::vector<MemoryOperation> operations(begin, begin + parameters.count);
  const auto& before = step->task.batch;
  const auto is_same = [](const MemoryOperation& a, const MemoryOperation& b) {
    return a.operation == b.operation;
  };
  // Only addresses, values and flags change.
  if (!std::equal(before.begin(), before.end(), operations.begin(), operations.end(), is_same))
    return kInvalidValue;
  step->task = taskOf(step->task.call, std::move(operations));
  exec.plan = std::move(plan);
  return kSuccess;
}

Result addEdges(gpu::Graph graph, const gpu::Node* from, const gpu::Node* to, std::size_t count) {
  if (!isGraph(graph) || !areOf(*graph, from, count) || !areOf(*graph, to, count))
    return kInvalidValue;
  for (std::size_t index = 0; index < count; ++index) {
    auto& after = to[index]->after;
    if (from[index] == to[index] || std::count(after.begin(), after.end(), from[index]) != 0)
      return kInvalidValue;
    after.push_back(from[index]);
  }
  return kSuccess;
}

/// Now and then a driver needs more memory of the device for a graph, and waits for all streams.
Result growNowAndThen() {
  constexpr unsigned kRoom = 4;
  static std::atomic<unsigned> made{0};
  return ++made % kRoom == 0 ? waitForAll() : kSuccess;
}

}  // namespace

std::size_t leftExecs() {
  const std::lock_guard lock(execs().mutex);
  return execs().all.size();
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuGraphCreate(gpu::Graph* graph, unsigned flags) {
  return call("cuGraphCreate", kInContext, [&] {
    if (graph == nullptr || flags != 0) return kInvalidValue;
    *graph = newGraph();
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuGraphDestroy(gpu::Graph graph) {
  return call("cuGraphDestroy", kInContext, [&] { return destroyGraph(graph); });
}

UCXX_CUDA_API Result cuGraphGetNodes(gpu::Graph graph, gpu::Node* nodes, std::size_t* count) {
  return call("cuGraphGetNodes", kInContext, [&] {
    if (!isGraph(graph) || count == nullptr) return kInvalidValue;
    const std::size_t room = nodes == nullptr ? 0 : *count;
    *count = nodes == nullptr ? graph->nodes.size() : std::min(room, graph->nodes.size());
    for (std::size_t index = 0; index < room; ++index)
      nodes[index] = index < *count ? graph->nodes[index].get() : nullptr;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuGraphAddDependencies(gpu::Graph graph, const gpu::Node* from,
                                            const gpu::Node* to, std::size_t count) {
  return call("cuGraphAddDependencies", kInContext,
              [&] { return addEdges(graph, from, to, count); });
}

/// Of CUDA 12.3: with data of edges, which may only be plain here.
UCXX_CUDA_API Result cuGraphAddDependencies_v2(gpu::Graph graph, const gpu::Node* from,
                                               const gpu::Node* to, const void* edges,
                                               std::size_t count) {
  return call("cuGraphAddDependencies", kInContext,
              [&] { return edges != nullptr ? kNotSupported : addEdges(graph, from, to, count); });
}

UCXX_CUDA_API Result cuGraphInstantiateWithFlags(gpu::Exec* exec, gpu::Graph graph,
                                                 unsigned long long flags) {
  return call("cuGraphInstantiate", kInContext, [&] {
    if (exec == nullptr || !isGraph(graph)) return kInvalidValue;
    if (flags != 0) return kNotSupported;
    const auto plan = planOf(*graph);
    if (plan == nullptr) return kInvalidValue;
    if (const Result result = prepare(*plan); result != kSuccess) return result;
    if (const Result result = growNowAndThen(); result != kSuccess) return result;
    *exec = new CUgraphExec_st{.plan = plan, .objects = graph->objects};
    const std::lock_guard lock(execs().mutex);
    execs().all.insert(*exec);
    return kSuccess;
  });
}

/// Replays of one executable graph come after each other, in any streams.
UCXX_CUDA_API Result cuGraphLaunch(gpu::Exec exec, gpu::Stream stream) {
  return call("cuGraphLaunch", kInContext, [&] {
    constexpr int kChildGraphType = 4;
    Task task{.type = kChildGraphType, .call = "cuGraphLaunch"};
    Point last;
    {
      const std::lock_guard lock(execs().mutex);
      if (execs().all.count(exec) == 0) return kInvalidValue;
      task.run = [plan = exec->plan, objects = exec->objects] { plan->run(); };
      last = exec->last;
    }
    const Result result = submit(stream, std::move(task), {last});
    const std::lock_guard lock(execs().mutex);
    if (result == kSuccess && execs().all.count(exec) != 0)
      exec->last = lastPointOf(streamOf(stream));
    return result;
  });
}

UCXX_CUDA_API Result cuGraphExecDestroy(gpu::Exec exec) {
  return call("cuGraphExecDestroy", kInContext, [&] {
    {
      const std::lock_guard lock(execs().mutex);
      if (execs().all.erase(exec) == 0) return kInvalidValue;
    }
    delete exec;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuGraphExecBatchMemOpNodeSetParams(gpu::Exec exec, gpu::Node node,
                                                        const BatchNode* parameters) {
  return call("cuGraphExecBatchMemOpNodeSetParams", kInContext, [&] {
    if (parameters == nullptr) return kInvalidValue;
    const Result result = checkOperations(parameters->operations, parameters->count);
    if (result != kSuccess) return result;
    const std::lock_guard lock(execs().mutex);
    if (execs().all.count(exec) == 0) return kInvalidValue;
    return changeBatch(*exec, node, *parameters);
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
