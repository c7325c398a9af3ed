// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What tests of transfers in CUDA's graphs start from.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/condition/triggered_condition.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {

/// A graph, and how it is launched.
class Launches {
 public:
  explicit Launches(Handle stream) : stream_(stream) {}
  ~Launches() { end(); }
  Launches(const Launches&) = delete;
  Launches& operator=(const Launches&) = delete;

  void make() { ASSERT_EQ(driver().createGraph(&graph_, 0), base::cuda::kSuccess); }
  void begin() {
    ASSERT_EQ(driver().beginCapture(stream_, base::cuda::kGlobalCapture), base::cuda::kSuccess);
  }
  void finish() { ASSERT_EQ(driver().endCapture(stream_, &graph_), base::cuda::kSuccess); }
  /// Before anything waits: it may wait for all streams.
  void instantiate() {
    if (exec_ != nullptr) return;
    ASSERT_EQ(driver().instantiate(&exec_, graph_, 0), base::cuda::kSuccess);
  }
  void launch() {
    instantiate();
    ASSERT_EQ(driver().launchGraph(exec_, stream_), base::cuda::kSuccess);
  }
  [[nodiscard]] bool done() { return drains("the graph", stream_); }
  void end() {
    if (exec_ != nullptr) {
      EXPECT_EQ(driver().destroyExec(std::exchange(exec_, nullptr)), base::cuda::kSuccess);
    }
    if (graph_ != nullptr) {
      EXPECT_EQ(driver().destroyGraph(std::exchange(graph_, nullptr)), base::cuda::kSuccess);
    }
  }
  base::cuda::Graph graph() const { return graph_; }

 private:
  const Handle stream_;
  base::cuda::Graph graph_ = nullptr;
  base::cuda::Exec exec_ = nullptr;
};

class GraphTest : public testing::Test {
 protected:
  std::shared_ptr<Request> send(std::size_t word, const Condition& condition, Tag tag = kTag) {
    return streams_.ends.left->tagSendBuilder(&streams_.words[word], 8, tag)
        .condition(condition)
        .build();
  }
  std::shared_ptr<Request> receive(std::size_t word, const Condition& condition, Tag tag = kTag) {
    return streams_.ends.right->tagRecvBuilder(&streams_.words[word], 8, tag)
        .condition(condition)
        .build();
  }
  /// What the right worker has to post was triggered.
  [[nodiscard]] bool hasStarted() const {
    return streams_.ends.until([&] {
      return streams_.ends.right_worker->describe().find("triggered 1 times") != std::string::npos;
    });
  }
  Streams streams_;
  Launches launches_{streams_.stream};
};

}  // namespace ucxx::cuda::test
