// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Nodes of graphs: of memory operations, kernels, host functions, conditional ones, and empty ones.

#include "cuda/driver/call.h"
#include "cuda/driver/callbacks.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/graph.h"
#include "cuda/driver/modules.h"
#include "cuda/driver/operations.h"

namespace stand_in {
namespace {

// CUgraphNodeType
constexpr int kKernelNode = 0, kHostNode = 3, kEmptyNode = 5, kConditionalNode = 13;

/// CUDA_HOST_NODE_PARAMS
struct HostNode {
  void (*function)(void*);
  void* data;
};

/// CUgraphNodeParams: a type, and behind it what is of that type.
struct AnyNode {
  int type;
  int reserved[3];
  union {
    KernelNode kernel;
    HostNode host;
    BatchNode batch;
    char rest[240];
  };
};
static_assert(sizeof(AnyNode) == 256);

/// Adds a node of a task, if all is right.
Result add(gpu::Node* node, gpu::Graph graph, const gpu::Node* after, std::size_t count,
           const Task& task) {
  if (node == nullptr || !isGraph(graph) || !areOf(*graph, after, count)) return kInvalidValue;
  const std::vector<Node*> before{after, after + count};
  if (hasTwice(before)) return kInvalidValue;
  *node = addNode(*graph, task, before);
  return kSuccess;
}

Result addBatch(gpu::Node* node, gpu::Graph graph, const gpu::Node* after, std::size_t count,
                const BatchNode& parameters, const char* name) {
  if (!isContext(parameters.context)) return kInvalidValue;
  if (parameters.flags != 0 || parameters.count == 0) return kInvalidValue;
  const Result result = checkOperations(parameters.operations, parameters.count);
  if (result != kSuccess) return result;
  const auto* const begin = parameters.operations;
  return add(node, graph, after, count, taskOf(name, {begin, begin + parameters.count}));
}

Result addKernel(gpu::Node* node, gpu::Graph graph, const gpu::Node* after, std::size_t count,
                 const KernelNode& parameters) {
  Task task;
  const Result result = taskOf(parameters, task);
  return result != kSuccess ? result : add(node, graph, after, count, task);
}

Result addHost(gpu::Node* node, gpu::Graph graph, const gpu::Node* after, std::size_t count,
               const HostNode& parameters) {
  if (parameters.function == nullptr) return kInvalidValue;
  const auto run = [parameters] {
    callBackAndWait([parameters] { parameters.function(parameters.data); });
  };
  return add(node, graph, after, count, {.type = kHostNode, .call = "host node", .run = run});
}

Result addConditional(gpu::Node* node, gpu::Graph graph, const gpu::Node* after, std::size_t count,
                      ConditionalNode& parameters) {
  constexpr int kIf = 0;
  if (!isGraph(graph)) return kInvalidValue;
  if (parameters.kind != kIf || parameters.size != 1) return kNotSupported;
  const auto handle = graph->conditionals.find(parameters.handle);
  if (handle == graph->conditionals.end()) return kInvalidValue;
  const Task task{.type = kConditionalNode, .call = "conditional node"};
  if (const Result result = add(node, graph, after, count, task); result != kSuccess) return result;
  (*node)->body = std::make_unique<CUgraph_st>();
  (*node)->body->is_body = true;
  (*node)->is_on = handle->second;
  (*node)->first_body = (*node)->body.get();
  parameters.bodies = &(*node)->first_body;
  return kSuccess;
}

Result addAny(gpu::Node* node, gpu::Graph graph, const gpu::Node* after, std::size_t count,
              void* parameters) {
  if (parameters == nullptr) return kInvalidValue;
  const auto& any = *static_cast<const AnyNode*>(parameters);
  switch (any.type) {
    case kKernelNode:
      return addKernel(node, graph, after, count, any.kernel);
    case kHostNode:
      return addHost(node, graph, after, count, any.host);
    case kEmptyNode:
      return add(node, graph, after, count, {.type = kEmptyNode, .call = "empty node"});
    case gpu::kBatchNodeType:
      return addBatch(node, graph, after, count, any.batch, "cuGraphAddNode");
    case kConditionalNode:
      return addConditional(node, graph, after, count, *static_cast<ConditionalNode*>(parameters));
    default:
      return kNotSupported;
  }
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuGraphAddBatchMemOpNode(gpu::Node* node, gpu::Graph graph,
                                              const gpu::Node* after, std::size_t count,
                                              const BatchNode* parameters) {
  constexpr const char* kName = "cuGraphAddBatchMemOpNode";
  return call(kName, kInContext, [&] {
    return parameters == nullptr ? kInvalidValue
                                 : addBatch(node, graph, after, count, *parameters, kName);
  });
}

UCXX_CUDA_API Result cuGraphAddKernelNode_v2(gpu::Node* node, gpu::Graph graph,
                                             const gpu::Node* after, std::size_t count,
                                             const KernelNode* parameters) {
  return call("cuGraphAddKernelNode", kInContext, [&] {
    return parameters == nullptr ? kInvalidValue
                                 : addKernel(node, graph, after, count, *parameters);
  });
}

UCXX_CUDA_API Result cuGraphAddHostNode(gpu::Node* node, gpu::Graph graph, const gpu::Node* after,
                                        std::size_t count, const HostNode* parameters) {
  return call("cuGraphAddHostNode", kInContext, [&] {
    return parameters == nullptr ? kInvalidValue : addHost(node, graph, after, count, *parameters);
  });
}

UCXX_CUDA_API Result cuGraphAddEmptyNode(gpu::Node* node, gpu::Graph graph, const gpu::Node* after,
                                         std::size_t count) {
  return call("cuGraphAddEmptyNode", kInContext, [&] {
    return add(node, graph, after, count, {.type = kEmptyNode, .call = "empty node"});
  });
}

/// Of CUDA 12.3: with data of edges, which may only be plain here.
UCXX_CUDA_API Result cuGraphAddNode_v2(gpu::Node* node, gpu::Graph graph, const gpu::Node* after,
                                       const void* edges, std::size_t count, void* parameters) {
  return call("cuGraphAddNode", kInContext, [&] {
    return edges != nullptr ? kNotSupported : addAny(node, graph, after, count, parameters);
  });
}

/// Of CUDA 12.2.
UCXX_CUDA_API Result cuGraphAddNode(gpu::Node* node, gpu::Graph graph, const gpu::Node* after,
                                    std::size_t count, void* parameters) {
  return call("cuGraphAddNode", kInContext,
              [&] { return addAny(node, graph, after, count, parameters); });
}

UCXX_CUDA_API Result cuGraphDestroyNode(gpu::Node node) {
  return call("cuGraphDestroyNode", kInContext,
              [&] { return node == nullptr ? kInvalidValue : removeNode(*node); });
}

UCXX_CUDA_API Result cuGraphNodeGetType(gpu::Node node, int* type) {
  return call("cuGraphNodeGetType", kInContext, [&] {
    if (node == nullptr || type == nullptr) return kInvalidValue;
    *type = node->task.type;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuGraphBatchMemOpNodeGetParams(gpu::Node node, BatchNode* parameters) {
  return call("cuGraphBatchMemOpNodeGetParams", kInContext, [&] {
    if (node == nullptr || node->task.type != gpu::kBatchNodeType) return kInvalidValue;
    *parameters = {.context = currentContext(),
                   .count = static_cast<unsigned>(node->task.batch.size()),
                   .operations = node->task.batch.data()};
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuGraphConditionalHandleCreate(unsigned long long* handle, gpu::Graph graph,
                                                    gpu::Context context, unsigned value,
                                                    unsigned flags) {
  return call("cuGraphConditionalHandleCreate", kInContext, [&] {
    constexpr unsigned kAssignDefault = 1;
    if (!isGraph(graph) || !isContext(context) || flags > kAssignDefault) return kInvalidValue;
    *handle = graph->conditionals.size() + 1;
    graph->conditionals[*handle] = flags == kAssignDefault && value != 0;
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
