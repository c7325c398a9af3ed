// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/graph.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <set>
#include <thread>

#include "cuda/driver/faults.h"

namespace stand_in {
namespace {

struct Graphs {
  std::mutex mutex;
  std::set<gpu::Graph> all;  // guarded by `mutex`
};

Graphs& graphs() {
  static auto* const only = new Graphs;
  return *only;
}

/// A replay: what is ready goes on in this thread, and if there is more in others, too.
class Replay {
 public:
  explicit Replay(const Plan& plan) : steps_(plan.steps), open_(plan.steps.size()) {
    for (std::size_t index = 0; index < steps_.size(); ++index) open_[index] = steps_[index].before;
  }

  void run() {
    std::vector<std::size_t> first;
    for (std::size_t index = 0; index < steps_.size(); ++index)
      if (steps_[index].before == 0) first.push_back(index);
    runAll(first);
    for (std::size_t index = 0;; ++index) {
      std::thread* thread = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (index == threads_.size()) return;
        thread = &threads_[index];
      }
      thread->join();
    }
  }

 private:
  void runAll(std::vector<std::size_t> ready) {
    while (!ready.empty()) {
      for (std::size_t index = 1; index < ready.size(); ++index) runBeside(ready[index]);
      ready = runStep(ready.front());
    }
  }

  void runBeside(std::size_t index) {
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, index] {
      if (!guarded([&] { runAll({index}); })) waitForEver();
    });
  }

  /// Returns what is ready now.
  std::vector<std::size_t> runStep(std::size_t index) {
    const Plan::Step& step = steps_[index];
    delayAtRandom();
    if (step.task.run) step.task.run();
    if (step.body != nullptr) step.body->run();
    std::vector<std::size_t> ready;
    for (const std::size_t next : step.next)
      if (--open_[next] == 0) ready.push_back(next);
    return ready;
  }

  const std::vector<Plan::Step>& steps_;
  std::vector<std::atomic<std::size_t>> open_;
  std::mutex mutex_;
  std::deque<std::thread> threads_;  // guarded by `mutex_`
};

/// Nodes, each behind those that come before it; fewer than there are, if they are in a circle.
std::vector<const Node*> sorted(const CUgraph_st& graph) {
  std::vector<const Node*> all;
  std::set<const Node*> done;
  for (bool has_grown = true; std::exchange(has_grown, false);)
    for (const auto& node : graph.nodes) {
      const auto is_done = [&](const Node* other) { return done.count(other) != 0; };
      if (is_done(node.get()) || !std::all_of(node->after.begin(), node->after.end(), is_done))
        continue;
      done.insert(node.get());
      all.push_back(node.get());
      has_grown = true;
    }
  return all;
}

}  // namespace

void Plan::run() const { Replay(*this).run(); }

gpu::Graph newGraph() {
  auto graph = std::make_unique<CUgraph_st>();
  const std::lock_guard lock(graphs().mutex);
  return *graphs().all.insert(graph.release()).first;
}

Result destroyGraph(gpu::Graph graph) {
  {
    const std::lock_guard lock(graphs().mutex);
    if (graphs().all.erase(graph) == 0) return kInvalidValue;
  }
  delete graph;
  return kSuccess;
}

bool isGraph(gpu::Graph graph) {
  const std::lock_guard lock(graphs().mutex);
  return graph != nullptr && (graph->is_body || graphs().all.count(graph) != 0);
}

std::size_t leftGraphs() {
  const std::lock_guard lock(graphs().mutex);
  return graphs().all.size();
}

Node* addNode(CUgraph_st& graph, const Task& task, const std::vector<Node*>& after) {
  auto& node = graph.nodes.emplace_back(std::make_unique<Node>());
  node->graph = &graph;
  node->task = task;
  node->after = after;
  return node.get();
}

Result removeNode(Node& node) {
  CUgraph_st& graph = *node.graph;
  for (const auto& each : graph.nodes) std::erase(each->after, &node);
  std::erase_if(graph.nodes, [&](const auto& each) { return each.get() == &node; });
  return kSuccess;
}

bool hasTwice(std::vector<Node*> nodes) {
  std::sort(nodes.begin(), nodes.end());
  return std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end();
}

bool areOf(const CUgraph_st& graph, const gpu::Node* nodes, std::size_t count) {
  return std::all_of(nodes, nodes + count, [&](const Node* node) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const auto& each) { return each.get() == node; });
  });
}

bool isBefore(const Node* node, const std::vector<Node*>& ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](const Node* end) { return end == node || isBefore(node, end->after); });
}

std::shared_ptr<Plan> planOf(const CUgraph_st& graph) {
  const std::vector<const Node*> nodes = sorted(graph);
  if (nodes.size() != graph.nodes.size()) return nullptr;
  auto plan = std::make_shared<Plan>();
  std::map<const Node*, std::size_t> places;
  for (const Node* const node : nodes) {
    if (graph.is_body && node->task.type == gpu::kBatchNodeType) return nullptr;
    const std::size_t index = places[node] = plan->steps.size();
    for (const Node* const before : node->after)
      plan->steps[places.at(before)].next.push_back(index);
    Plan::Step step{.task = node->task, .before = node->after.size(), .node = node};
    if (node->body != nullptr) {
      const auto body = planOf(*node->body);
      if (body == nullptr) return nullptr;
      if (node->is_on) step.body = body;
    }
    plan->steps.push_back(std::move(step));
  }
  return plan;
}

}  // namespace stand_in
