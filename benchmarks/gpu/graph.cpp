// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A broadcast, launch after launch of graphs, and the same by streams. The middle one's graph is
// made node by node: of three nodes; of two, one of which has both sends; and of prepared
// transfers.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <ucxx/cuda/stream.h>

#include "benches.h"
#include "broadcast.h"
#include "comparison.h"
#include "gpu/step.h"
#include "launchable.h"
#include "models.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kSizes[] = {8, 2048, 4096};  // above 3 KiB payloads go another way
constexpr std::chrono::seconds kLimit{30};
constexpr int kMiddle = Broadcast::kMiddle, kRoot = Broadcast::kRoot, kLeaf = Broadcast::kLeaf;

using Streams = std::array<OwnStream, 3>;
enum class Sends { InOneNode, InTwo };

Graph middleGraph(const Broadcast& broadcast, Sends sends) {
  Graph graph = nullptr;
  must("cuGraphCreate", driver().createGraph(&graph, 0));
  const auto arrives = ucxx::Condition::graph(graph);
  broadcast.middleReceive(arrives);
  const auto after = [&] { return ucxx::Condition::graph(graph, {arrives.node()}); };
  if (sends == Sends::InOneNode) {
    broadcast.middleSends(after());
  } else {
    broadcast.sendToRoot(after());
    broadcast.sendToLeaf(after());
  }
  return graph;
}

class Graphs {
 public:
  Graphs(const Broadcast& broadcast, const Streams& streams, Sends sends)
      : middle_(middleGraph(broadcast, sends)),
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
      posted = broadcast.middleSends(here);
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

nlohmann::json modelled(double by_streams, std::size_t bytes) {
  return foretold({{"graph", by_streams + model::kGraphMore},
                   {"two_nodes", by_streams + model::kTwoNodesMore},
                   {"prepared", by_streams + model::preparedGraphMore(bytes)}});
}

/// All ways, with what they need.
class Broadcasts {
 public:
  Broadcasts(const Crew& crew, std::size_t bytes)
      : by_graphs_(crew, bytes),
        by_two_nodes_(crew, bytes),
        by_streams_(crew, bytes),
        by_plans_(crew, bytes) {}
  void addTo(Comparison& ways) const {
    addGraphs(ways, "graph", graphs_);
    addGraphs(ways, "two_nodes", two_nodes_);
    addGraphs(ways, "prepared", plans_);
    ways.add("stream", [this] {
      return measure(streams_, count_,
                     [this](int which, Stream stream) { enqueuePart(by_streams_, which, stream); });
    });
  }
  void check(const std::string& name) const {
    by_graphs_.check(name + " by graphs");
    by_two_nodes_.check(name + " by graphs of two nodes");
    by_plans_.check(name + " by prepared transfers");
    by_streams_.check(name + " by streams");
  }

 private:
  void addGraphs(Comparison& ways, const char* way, const Graphs& graphs) const {
    ways.add(way, [this, &graphs] {
      return measure(streams_, count_,
                     [&](int which, Stream stream) { graphs.launch(which, stream); });
    });
  }

  const int count_ = isQuick() ? 20 : 1000;
  const Broadcast by_graphs_, by_two_nodes_, by_streams_;
  const PreparedBroadcast by_plans_;
  const Streams streams_;
  const Graphs graphs_{by_graphs_, streams_, Sends::InTwo},
      two_nodes_{by_two_nodes_, streams_, Sends::InOneNode},
      plans_{by_plans_, streams_, Sends::InTwo};
};

void tellSize(const Crew& crew, std::size_t bytes) {
  const std::string name = "broadcast of " + std::to_string(bytes) + " B";
  const Broadcasts broadcasts(crew, bytes);
  Comparison ways;
  broadcasts.addTo(ways);
  ways.run(repetitions());
  broadcasts.check(name);
  auto row = ways.spreads();
  row["graph_to_stream"] = ways.ratio("graph", "stream");
  row["model"] = modelled(row["stream"]["median"], bytes);
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
