// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Memory operations on a stream that is captured, and what a capture refuses.

#include <functional>
#include <string>
#include <vector>

#include "gpu/groups.h"
#include "gpu/kernels.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/responder.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr std::uint64_t kReplays = 1000;

/// Captures what a function enqueues; null where it fails.
Graph captured(const std::string& what, Stream stream, int mode,
               const std::function<void(Stream)>& enqueue_all) {
  Graph graph = nullptr;
  must("cuStreamBeginCapture", driver().beginCapture(stream, mode));
  enqueue_all(stream);
  answer(what + ": cuStreamEndCapture", driver().endCapture(stream, &graph));
  return graph;
}

void tellNodes(const std::string& what, Graph graph) {
  std::vector<Node> nodes(16);
  std::size_t count = nodes.size();
  if (!check(what + ": cuGraphGetNodes", driver().graphNodes(graph, nodes.data(), &count))) return;
  nlohmann::json told = nlohmann::json::array();
  for (std::size_t index = 0; index < count; ++index) {
    int type = -1;
    BatchNode batch;
    driver().nodeType(nodes[index], &type);
    nlohmann::json node{{"type", type}};
    if (type == kBatchNodeType && driver().batchNodeOf(nodes[index], &batch) == kSuccess)
      node["operations"] = batch.count;
    told.push_back(node);
  }
  fact(what + ": nodes", told);
}

/// Credit, trigger, answer, in one batch that is captured; then replayed beside a thread.
void tellCapturedBatch(const Words& words) {
  const Stream stream = makeStream();
  const Graph graph = captured("a batch of five", stream, kRelaxedCapture, [&](Stream at) {
    answer("a batch of five, captured",
           enqueue(at, {waitEqual(words, 0, 1), write(words, 0, 0), write(words, 1, 1),
                        waitEqual(words, 2, 1), write(words, 2, 0)}));
  });
  Exec exec = nullptr;
  if (graph == nullptr) return;
  tellNodes("a batch of five", graph);
  if (!check("cuGraphInstantiate", driver().instantiate(&exec, graph, 0))) return;
  std::uint64_t answers = 0;
  words[0] = 1;
  const Responder responder([&] {
    if (words[1].load(std::memory_order_acquire) != 1) return;
    words[1].store(0, std::memory_order_relaxed);
    ++answers;
    words[2].store(1, std::memory_order_release);
    words[0].store(1, std::memory_order_release);
  });
  for (std::uint64_t replay = 0; replay < kReplays; ++replay)
    must("cuGraphLaunch", driver().launchGraph(exec, stream));
  if (drains("replays of a captured batch", stream, kPatience * 5))
    expect("replays of a captured batch", answers == kReplays,
           std::to_string(answers) + " of " + std::to_string(kReplays) + " were seen");
  fact("replays of a captured batch", kReplays);
}

void tellSingles(const Words& words) {
  const Graph graph = captured("single operations", makeStream(), kRelaxedCapture, [&](Stream at) {
    answer("write, captured", driver().writeValue64(at, words.at(4), 1, 0));
    answer("wait, captured", driver().waitValue64(at, words.at(4), 1, kGreaterOrEqual));
    answer("host function, captured", driver().launchHost(
                                          at, [](void*) {}, nullptr));
    launch("write_word", at, {words.at(5), 1});
  });
  if (graph != nullptr) tellNodes("single operations", graph);
}

/// A call in the middle of a capture: its answer, and whether the capture survives.
void tellCall(const std::string& name, int mode, const std::function<Result()>& call) {
  const std::string what = (mode == kRelaxedCapture ? "relaxed: " : "global: ") + name;
  captured(what, makeStream(), mode, [&](Stream) { answer(what, call()); });
}

/// What may be asked of the stream itself.
void tellQuestions() {
  unsigned long long id = 0;
  Context context = nullptr;
  int state = 0;
  const auto ask = [](const char* name, const std::function<Result(Stream)>& question) {
    const std::string what = std::string("of the captured stream: ") + name;
    captured(what, makeStream(), kGlobalCapture, [&](Stream at) { answer(what, question(at)); });
  };
  ask("cuStreamGetId", [&](Stream at) { return driver().streamId(at, &id); });
  ask("cuStreamGetCtx", [&](Stream at) { return driver().streamContext(at, &context); });
  ask("cuStreamIsCapturing", [&](Stream at) { return driver().isCapturing(at, &state); });
}

void tellCalls(const Words& words) {
  static const Stream other = makeStream();
  alignas(4096) static char pages[1 << 16];
  for (const int mode : {kGlobalCapture, kRelaxedCapture}) {
    Address block = 0, made = 0;
    Module module = nullptr;
    Stream stream = nullptr;
    void* pinned = nullptr;
    unsigned type = 0;
    must("cuMemAlloc", driver().allocate(&block, 4096));
    tellCall("cuMemAlloc", mode, [&] { return driver().allocate(&made, 4096); });
    tellCall("cuMemHostAlloc", mode, [&] { return driver().allocateHost(&pinned, 4096, 0); });
    tellCall("cuMemHostRegister", mode,
             [&] { return driver().registerHost(pages, sizeof pages, kPortable); });
    tellCall("cuMemHostUnregister", mode, [&] { return driver().unregisterHost(pages); });
    driver().unregisterHost(pages);
    tellCall("cuModuleLoadData", mode, [&] { return driver().loadModule(&module, kKernels); });
    tellCall("cuStreamCreate", mode, [&] { return driver().createStream(&stream, kNonBlocking); });
    tellCall("cuPointerGetAttribute", mode,
             [&] { return driver().pointerAttribute(&type, 2, words.at(0)); });
    tellCall("write in another stream", mode,
             [&] { return driver().writeValue64(other, words.at(6), 1, 0); });
    drains("the other stream", other);  // so that it is idle when it is looked at
    tellCall("cuStreamQuery of another stream", mode, [&] { return driver().queryStream(other); });
    tellCall("cuMemcpyHtoD", mode, [&] { return driver().copyIn(block, pages, 8); });
  }
}

}  // namespace

void tellCapture() {
  useDevice();
  const Words words;
  kernelOf("write_word");
  tellCapturedBatch(words);
  tellSingles(words);
  tellQuestions();
  tellCalls(words);
}

}  // namespace gpu
