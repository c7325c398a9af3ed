// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a graph keeps alive, until when, and who says that it is over: a condition in a graph lives
// as long as its graph. And where memory operations may not be: bodies of conditional nodes.

#include <atomic>
#include <memory>
#include <thread>

#include "gpu/groups.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/setting.h"
#include "gpu/step.h"

namespace gpu {
namespace {

constexpr unsigned kNoSynchronization = 1;  // CU_USER_OBJECT_NO_DESTRUCTOR_SYNC
constexpr unsigned kMove = 1;               // CU_GRAPH_USER_OBJECT_MOVE
constexpr std::chrono::milliseconds kWhile{100};

Context primaryContext() {
  Context context = nullptr;
  must("cuDevicePrimaryCtxRetain", driver().retainContext(&context, deviceNumber()));
  return context;
}

/// What the driver calls at the end of a user object.
struct Ended {
  std::atomic<bool> is{false};
  std::atomic<std::thread::id> by;

  static void tell(void* self) {
    auto& ended = *static_cast<Ended*>(self);
    ended.by = std::this_thread::get_id();
    ended.is = true;
  }
  bool comes(std::chrono::milliseconds limit) const {
    return eventually([this] { return is.load(); }, limit);
  }
};

Graph graphThatWaits(const Words& words, Context context) {
  Graph graph = nullptr;
  Node node = nullptr;
  Operations operations{wait(words, 0, 1), write(words, 1, 1)};
  const BatchNode parameters{.context = context, .count = 2, .operations = operations.data()};
  must("cuGraphCreate", driver().createGraph(&graph, 0));
  must("cuGraphAddBatchMemOpNode", driver().addBatchNode(&node, graph, nullptr, 0, &parameters));
  return graph;
}

/// A replay is under way when graph and executable graph are destroyed.
void tellUserObject() {
  const Words words;
  const Stream stream = makeStream();
  static Ended ended;  // the driver may call late
  UserObject object = nullptr;
  Exec exec = nullptr;
  const Graph graph = graphThatWaits(words, primaryContext());
  must("cuUserObjectCreate",
       driver().createUserObject(&object, &ended, Ended::tell, 1, kNoSynchronization));
  must("cuGraphRetainUserObject", driver().retainUserObject(graph, object, 1, kMove));
  must("cuGraphInstantiate", driver().instantiate(&exec, graph, 0));
  at("the destruction of the graph");
  check("cuGraphDestroy", driver().destroyGraph(graph));
  fact("user object: ends with its graph, of which there is an executable one",
       ended.comes(kWhile));
  check("cuGraphLaunch", driver().launchGraph(exec, stream));
  at("the destruction of the executable graph");
  const double begin = microseconds();
  check("cuGraphExecDestroy", driver().destroyExec(exec));
  fact("cuGraphExecDestroy while a replay waits", microseconds() - begin, "us");
  fact("user object: ends while a replay of its executable graph waits", ended.comes(kWhile));
  words[0] = 1;
  drains("the replay", stream);
  expect("the replay", words[1] == 1, "its write did not come");
  fact("user object: ends with the last replay", ended.comes(kPatience));
  if (!ended.is) check("cuCtxSynchronize", driver().synchronize());
  if (expect("user object", ended.comes(kPatience), "it never ends"))
    fact("user object: its end is told by a thread of the driver",
         ended.by.load() != std::this_thread::get_id());
}

/// Nodes in the body of a conditional node.
void tellConditional() {
  const Words words;
  const Context context = primaryContext();
  Graph graph = nullptr;
  Node node = nullptr;
  unsigned long long handle = 0;
  must("cuGraphCreate", driver().createGraph(&graph, 0));
  const Result made = driver().createConditional(&handle, graph, context, 1, 1);
  if (answer("cuGraphConditionalHandleCreate", made) != kSuccess) return;
  ConditionalNode conditional;
  conditional.handle = handle;
  conditional.context = context;
  const Result added = driver().addNode(&node, graph, nullptr, nullptr, 0, &conditional);
  if (answer("a conditional node", added) != kSuccess || conditional.bodies == nullptr) return;
  Operations operations{write(words, 1, 1)};
  const BatchNode parameters{.context = context, .count = 1, .operations = operations.data()};
  Node inner = nullptr;
  const Result batch =
      driver().addBatchNode(&inner, conditional.bodies[0], nullptr, 0, &parameters);
  answer("a memory operation in the body of a conditional node", batch);
  Exec exec = nullptr;
  if (answer("... cuGraphInstantiate", driver().instantiate(&exec, graph, 0)) != kSuccess) return;
  const Stream stream = makeStream();
  answer("... cuGraphLaunch", driver().launchGraph(exec, stream));
  if (drains("a conditional node", stream)) fact("... it has written", words[1] == 1);
}

}  // namespace

void tellLifetime() {
  useDevice();
  step("user object", tellUserObject);
  step("conditional nodes", tellConditional);
}

}  // namespace gpu
