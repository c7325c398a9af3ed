// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <ucxx/condition.h>

#include "rig.h"

namespace gpu::bench {

/// What a capture makes of what `posts` does with the stream's condition.
template <class Posts>
Graph captured(Stream stream, const Posts& posts) {
  Graph graph = nullptr;
  must("cuStreamBeginCapture", driver().beginCapture(stream, kGlobalCapture));
  posts(ucxx::Condition::stream(stream));
  must("cuStreamEndCapture", driver().endCapture(stream, &graph));
  return graph;
}

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

}  // namespace gpu::bench
