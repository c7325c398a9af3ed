// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/driver/queue.h"

struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  stand_in::Task task;
  std::vector<CUgraphNode_st*> after;
  std::unique_ptr<CUgraph_st> body;  // of a conditional node
  CUgraph_st* first_body = nullptr;  // likewise: the array of them, which the program sees
  bool is_on = false;                // likewise: by the default of its handle
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<void>> objects;       // user objects
  std::map<unsigned long long, bool> conditionals;  // handle, default
  bool is_body = false;
};

namespace stand_in {

/// What is replayed. It does not change: a new one takes its place.
struct Plan {
  struct Step {
    Task task;
    std::vector<std::size_t> next;
    std::size_t before = 0;  // how many
    const Node* node = nullptr;
    std::shared_ptr<const Plan> body;
  };
  std::vector<Step> steps;  // each behind those that come before it

  void run() const;
};

/// Graphs are no program's to use by two threads at once; what is known of all of them is guarded.
gpu::Graph newGraph();
Result destroyGraph(gpu::Graph graph);
bool isGraph(gpu::Graph graph);

Node* addNode(CUgraph_st& graph, const Task& task, const std::vector<Node*>& after);
/// With its edges.
Result removeNode(Node& node);
/// Which no list of edges may have.
bool hasTwice(std::vector<Node*> nodes);
bool areOf(const CUgraph_st& graph, const gpu::Node* nodes, std::size_t count);
/// Whether a node is one of these, or comes before one.
bool isBefore(const Node* node, const std::vector<Node*>& ends);

/// Null: it has a circle, or what may not be in the body of a conditional node.
std::shared_ptr<Plan> planOf(const CUgraph_st& graph);

std::size_t leftGraphs();

}  // namespace stand_in
