// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A broadcast among three workers: the root sends, the middle one receives and sends on to both
// others. Launch after launch of graphs, and the same by streams. Kernels fill and check all bytes
// at the ends.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ucxx/cuda/stream.h>

#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "rig.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kSizes[] = {8, 4096};
constexpr std::chrono::seconds kLimit{30};
constexpr int kMiddle = 0, kRoot = 1, kLeaf = 2;
constexpr ucxx::Tag kUp{1}, kToRoot{2}, kToLeaf{3};
constexpr unsigned kThreads = 256;

using Streams = std::array<OwnStream, 3>;
using Requests = std::vector<std::shared_ptr<ucxx::Request>>;

/// Buffers, and the parts of one broadcast. A part posts its transfers with a condition.
class Broadcast {
 public:
  Broadcast(const Crew& crew, std::size_t bytes)
      : crew_(crew),
        words_(bytes / sizeof(Word)),
        middle_(pinnedWords(words_)),
        root_out_(pinnedWords(words_)),
        root_in_(pinnedWords(words_)),
        leaf_in_(pinnedWords(words_)),
        leaf_out_(pinnedWords(words_)),
        root_number_(deviceWords(1)),
        leaf_number_(deviceWords(1)) {}

  void rootKernel(Stream stream) const { kernel(stream, root_in_, 1, root_out_, root_number_); }
  void leafKernel(Stream stream) const { kernel(stream, leaf_in_, 0, leaf_out_, leaf_number_); }
  Requests rootTransfers(const ucxx::Condition& condition) const {
    return {send(kRoot, kMiddle, root_out_, kUp, condition),
            receive(kRoot, kMiddle, root_in_, kToRoot, condition)};
  }
  std::shared_ptr<ucxx::Request> leafReceive(const ucxx::Condition& condition) const {
    return receive(kLeaf, kMiddle, leaf_in_, kToLeaf, condition);
  }
  std::shared_ptr<ucxx::Request> middleReceive(const ucxx::Condition& condition) const {
    return receive(kMiddle, kRoot, middle_, kUp, condition);
  }
  std::shared_ptr<ucxx::Request> sendToRoot(const ucxx::Condition& condition) const {
    return send(kMiddle, kRoot, middle_, kToRoot, condition);
  }
  std::shared_ptr<ucxx::Request> sendToLeaf(const ucxx::Condition& condition) const {
    return send(kMiddle, kLeaf, middle_, kToLeaf, condition);
  }
  void check(const std::string& name) const { wrong_.check(name); }

 private:
  void kernel(Stream stream, Word* in, Word behind, Word* out, Word* number) const {
    run("bench_replay", stream, Grid{1, kThreads}, in, behind, out, Word{words_}, number,
        wrong_.place());
  }
  std::shared_ptr<ucxx::Request> send(int from, int to, Word* words, ucxx::Tag tag,
                                      const ucxx::Condition& condition) const {
    return crew_.endpoint(from, to)
        ->tagSendBuilder(words, words_ * sizeof(Word), tag)
        .condition(condition)
        .build();
  }
  std::shared_ptr<ucxx::Request> receive(int at, int from, Word* words, ucxx::Tag tag,
                                         const ucxx::Condition& condition) const {
    return crew_.endpoint(at, from)
        ->tagRecvBuilder(words, words_ * sizeof(Word), tag)
        .condition(condition)
        .build();
  }

  const Crew& crew_;
  const std::size_t words_;
  Word* const middle_;
  Word* const root_out_;
  Word* const root_in_;
  Word* const leaf_in_;
  Word* const leaf_out_;
  Word* const root_number_;
  Word* const leaf_number_;
  const WrongWords wrong_;
};

/// A graph that can be launched. Both end with the scope; nothing may be under way then.
class Launchable {
 public:
  explicit Launchable(Graph graph) : graph_(graph) {
    must("cuGraphInstantiate", driver().instantiate(&exec_, graph, 0));
  }
  ~Launchable() {
    driver().destroyExec(exec_);
    driver().destroyGraph(graph_);
  }
  Launchable(const Launchable&) = delete;
  Launchable& operator=(const Launchable&) = delete;
  void launch(Stream stream) const { must("cuGraphLaunch", driver().launchGraph(exec_, stream)); }

 private:
  const Graph graph_;
  Exec exec_ = nullptr;
};

template <class Posts>
Graph captured(Stream stream, const Posts& posts) {
  Graph graph = nullptr;
  must("cuStreamBeginCapture", driver().beginCapture(stream, kGlobalCapture));
  posts(ucxx::Condition::stream(stream));
  must("cuStreamEndCapture", driver().endCapture(stream, &graph));
  return graph;
}

/// The middle's, node by node: what arrives is sent on by two nodes.
Graph middleGraph(const Broadcast& broadcast) {
  Graph graph = nullptr;
  must("cuGraphCreate", driver().createGraph(&graph, 0));
  const auto arrives = ucxx::Condition::graph(graph);
  broadcast.middleReceive(arrives);
  broadcast.sendToRoot(ucxx::Condition::graph(graph, {arrives.node()}));
  broadcast.sendToLeaf(ucxx::Condition::graph(graph, {arrives.node()}));
  return graph;
}

class Graphs {
 public:
  Graphs(const Broadcast& broadcast, const Streams& streams)
      : middle_(middleGraph(broadcast)),
        root_(captured(streams[kRoot],
                       [&](const ucxx::Condition& here) {
                         broadcast.rootKernel(streams[kRoot]);
                         broadcast.rootTransfers(here);
                       })),
        leaf_(captured(streams[kLeaf], [&](const ucxx::Condition& here) {
          broadcast.leafReceive(here);
          broadcast.leafKernel(streams[kLeaf]);
        })) {}
  void launch(int which, Stream stream) const {
    (which == kMiddle ? middle_ : which == kRoot ? root_ : leaf_).launch(stream);
  }

 private:
  const Launchable middle_, root_, leaf_;
};

/// One broadcast's part of a worker, by its stream.
void enqueuePart(const Broadcast& broadcast, int which, Stream stream) {
  const auto here = ucxx::Condition::stream(stream);
  if (which == kRoot) broadcast.rootKernel(stream);
  {
    ucxx::cuda::StreamBatch batch(stream);
    Requests posted;
    if (which == kRoot) posted = broadcast.rootTransfers(here);
    if (which == kLeaf) posted.push_back(broadcast.leafReceive(here));
    if (which == kMiddle) {
      broadcast.middleReceive(here)->waitOn(stream);
      posted = {broadcast.sendToRoot(here), broadcast.sendToLeaf(here)};
    }
    for (const auto& request : posted) request->waitOn(stream);
    batch.submit();
  }
  if (which == kLeaf) broadcast.leafKernel(stream);
}

/// Microseconds a broadcast. Each worker's part is enqueued ahead by a thread of its own.
template <class Part>
double measure(const Streams& streams, int count, const Part& part) {
  std::vector<std::function<void()>> bodies;
  for (int which = 0; which < 3; ++which) {
    bodies.emplace_back([&, which] {
      for (int i = 0; i < count; ++i) part(which, streams[which]);
      must("cuStreamSynchronize", driver().synchronizeStream(streams[which]));
    });
  }
  return together(bodies) / count;
}

void tellSize(const Crew& crew, std::size_t bytes) {
  const std::string name = "broadcast of " + std::to_string(bytes) + " B";
  const int count = isQuick() ? 20 : 1000;
  const Broadcast by_graphs(crew, bytes), by_streams(crew, bytes);
  const Streams streams;
  const Graphs graphs(by_graphs, streams);
  Comparison ways;
  ways.add("graph", [&] {
    return measure(streams, count, [&](int which, Stream stream) { graphs.launch(which, stream); });
  });
  ways.add("stream", [&] {
    return measure(streams, count,
                   [&](int which, Stream stream) { enqueuePart(by_streams, which, stream); });
  });
  ways.run(repetitions());
  by_graphs.check(name + " by graphs");
  by_streams.check(name + " by streams");
  auto row = ways.spreads();
  row["graph_to_stream"] = ways.ratio("graph", "stream");
  fact(name, row, "us");
}

}  // namespace

void benchGraph() {
  warmUp();
  const Crew crew(3, ucxx::ProgressMode::Polling);
  for (const std::size_t bytes : kSizes)
    step(
        "broadcast of " + std::to_string(bytes) + " B", [&] { tellSize(crew, bytes); }, kLimit);
}

}  // namespace gpu::bench
