// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Memory operations as nodes of a graph that is replayed beside a bare thread: with the credit
// (wait for R, take it) as ucxx's graph conditions plan it, and without.

#include <atomic>
#include <string>
#include <vector>

#include "gpu/groups.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/responder.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr std::uint64_t kManyReplays = 10'000;
constexpr std::size_t kCredit = 0, kTrigger = 1, kDone = 2;

/// What is in the node or nodes, and what the thread does.
struct Form {
  const char* name;
  std::vector<std::vector<int>> nodes;  // 'R' wait and take the credit, 'T' trigger, 'D' wait, take
  bool waits;                           // for an answer
};

Operations operationsOf(const Words& words, const std::vector<int>& letters) {
  Operations operations;
  const auto add = [&](const MemoryOperation& operation) { operations.push_back(operation); };
  for (const int letter : letters) {
    if (letter == 'R') add(waitEqual(words, kCredit, 1)), add(write(words, kCredit, 0));
    if (letter == 'T') add(write(words, kTrigger, 1));
    if (letter == 'D') add(waitEqual(words, kDone, 1)), add(write(words, kDone, 0));
  }
  return operations;
}

/// An executable graph of the form; null where the driver refuses.
Exec build(const Words& words, const Form& form, Context context) {
  Graph graph = nullptr;
  must("cuGraphCreate", driver().createGraph(&graph, 0));
  Node last = nullptr;
  for (const std::vector<int>& letters : form.nodes) {
    Operations operations = operationsOf(words, letters);
    const BatchNode parameters{.context = context,
                               .count = static_cast<unsigned>(operations.size()),
                               .operations = operations.data()};
    const Node before = last;
    const std::string what = std::string(form.name) + ": cuGraphAddBatchMemOpNode";
    if (!check(what, driver().addBatchNode(&last, graph, before == nullptr ? nullptr : &before,
                                           before == nullptr ? 0 : 1, &parameters)))
      return nullptr;
  }
  Exec exec = nullptr;
  check("cuGraphInstantiate", driver().instantiate(&exec, graph, 0));
  return exec;
}

/// Replays it, and tells the time of a replay and how many triggers the thread has seen.
void tellForm(const Form& form, Context context) {
  const Words words;
  const Stream stream = makeStream();
  const Exec exec = build(words, form, context);
  if (exec == nullptr) return;
  std::atomic<std::uint64_t> seen{0};
  words[kCredit] = 1;
  const Responder responder([&] {
    if (words[kTrigger].load(std::memory_order_acquire) != 1) return;
    words[kTrigger].store(0, std::memory_order_relaxed);
    seen.fetch_add(1, std::memory_order_relaxed);
    if (form.waits) words[kDone].store(1, std::memory_order_release);
    words[kCredit].store(1, std::memory_order_release);
  });
  const double begin = microseconds();
  double calls = 0;
  for (std::uint64_t replay = 0; replay < kManyReplays; ++replay)
    calls += timed([&] { must("cuGraphLaunch", driver().launchGraph(exec, stream)); });
  if (!drains(form.name, stream, kPatience * 4)) return;
  const double end = microseconds();
  eventually([&] { return words[kTrigger] == 0; });
  fact(std::string(form.name) + ": a replay", (end - begin) / kManyReplays, "us");
  fact(std::string(form.name) + ": of it cuGraphLaunch", calls / kManyReplays, "us");
  fact(std::string(form.name) + ": triggers lost", kManyReplays - seen);
}

/// The current context, which a node wants.
Context currentContext() {
  using GetCurrent = Result(Context*);
  Context context = nullptr;
  auto* const get = reinterpret_cast<GetCurrent*>(exported("cuCtxGetCurrent"));
  if (get != nullptr) check("cuCtxGetCurrent", get(&context));
  return context;
}

/// Changes the value of an operation of an executable graph, as a new target of a condition would.
void tellChange(Context context) {
  const Words words;
  const Stream stream = makeStream();
  Graph graph = nullptr;
  Node node = nullptr;
  Exec exec = nullptr;
  Operations operations{write(words, 0, 1)};
  BatchNode parameters{.context = context, .count = 1, .operations = operations.data()};
  must("cuGraphCreate", driver().createGraph(&graph, 0));
  must("cuGraphAddBatchMemOpNode", driver().addBatchNode(&node, graph, nullptr, 0, &parameters));
  must("cuGraphInstantiate", driver().instantiate(&exec, graph, 0));
  operations[0] = write(words, 1, 7);
  if (answer("cuGraphExecBatchMemOpNodeSetParams",
             driver().setBatchNode(exec, node, &parameters)) != kSuccess)
    return;
  check("cuGraphLaunch", driver().launchGraph(exec, stream));
  drains("a graph that was changed", stream);
  expect("a graph that was changed", words[0] == 0 && words[1] == 7, "it wrote as before");
}

}  // namespace

void tellGraph() {
  useDevice();
  const Context context = currentContext();
  tellForm({"one node, with credit", {{'R', 'T', 'D'}}, true}, context);
  tellForm({"one node, without credit", {{'T', 'D'}}, true}, context);
  tellForm({"two nodes, with credit", {{'R', 'T'}, {'D'}}, true}, context);
  tellForm({"start only, with credit", {{'R', 'T'}}, false}, context);
  tellForm({"start only, without credit", {{'T'}}, false}, context);
  tellChange(context);
}

}  // namespace gpu
