// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Graphs: what is refused, the order of nodes and of replays, what they keep alive; kernels.

#include "cuda/cuda_test.h"
#include "cuda/driver/stand_in.h"
#include "gpu/kernels.h"

namespace gpu {
namespace {

class GraphTest : public CudaTest {
 protected:
  GraphTest() {
    EXPECT_EQ(driver().createGraph(&graph_, 0), kSuccess);
    EXPECT_EQ(driver().getContext(&context_), kSuccess);
  }

  Result add(Node& node, Operations operations, const std::vector<Node>& after = {}) {
    const BatchNode parameters{.context = context_,
                               .count = static_cast<unsigned>(operations.size()),
                               .operations = operations.data()};
    return driver().addBatchNode(&node, graph_, after.data(), after.size(), &parameters);
  }
  Node added(Operations operations, const std::vector<Node>& after = {}) {
    Node node = nullptr;
    EXPECT_EQ(add(node, std::move(operations), after), kSuccess);
    return node;
  }
  Exec instantiated() {
    Exec exec = nullptr;
    EXPECT_EQ(driver().instantiate(&exec, graph_, 0), kSuccess);
    return exec;
  }

  Graph graph_ = nullptr;
  Context context_ = nullptr;
};

TEST_F(GraphTest, RefusesOperationsAsAStreamDoes) {
  Node node = nullptr;
  EXPECT_EQ(add(node, {}), kInvalidValue);
  EXPECT_EQ(add(node, {{.operation = kWrite64, .address = words_.at(0) + 1}}), kInvalidValue);
  EXPECT_EQ(add(node, Operations(256, write(words_, 0, 1))), kInvalidValue);
  context_ = nullptr;
  EXPECT_EQ(add(node, {write(words_, 0, 1)}), kInvalidValue);
}

TEST_F(GraphTest, BranchesRunBesideEachOther) {
  const Node first = added({write(words_, 1, 1)});
  const Node left = added({wait(words_, 2, 1), write(words_, 3, 1)}, {first});
  const Node right = added({write(words_, 2, 1), wait(words_, 3, 1)}, {first});
  added({write(words_, 4, 1)}, {left, right});
  const Stream stream = makeStream();
  ASSERT_EQ(driver().launchGraph(instantiated(), stream), kSuccess);
  EXPECT_TRUE(drains("a graph with branches", stream));
  EXPECT_EQ(words_[4], 1u);
}

TEST_F(GraphTest, DependenciesMayBeAddedAndMakeNoCircle) {
  const Node first = added({write(words_, 1, 1)}), second = added({write(words_, 1, 2)});
  ASSERT_EQ(driver().addDependencies(graph_, &second, &first, nullptr, 1), kSuccess);
  EXPECT_EQ(driver().addDependencies(graph_, &second, &first, nullptr, 1), kInvalidValue);
  const Stream stream = makeStream();
  ASSERT_EQ(driver().launchGraph(instantiated(), stream), kSuccess);
  EXPECT_TRUE(drains("a graph", stream));
  EXPECT_EQ(words_[1], 1u);
  ASSERT_EQ(driver().addDependencies(graph_, &first, &second, nullptr, 1), kSuccess);
  Exec exec = nullptr;
  EXPECT_EQ(driver().instantiate(&exec, graph_, 0), kInvalidValue);
}

TEST_F(GraphTest, ReplaysOfOneExecutableComeAfterEachOther) {
  added({wait(words_, 0, 1), write(words_, 1, 1)});
  const Exec exec = instantiated();
  const Stream first = makeStream(), second = makeStream();
  ASSERT_EQ(driver().launchGraph(exec, first), kSuccess);
  ASSERT_EQ(driver().launchGraph(exec, second), kSuccess);
  ASSERT_EQ(driver().writeValue64(second, words_.at(2), 1, 0), kSuccess);
  EXPECT_FALSE(eventually([&] { return words_[2] == 1; }, kShort));
  open();
  EXPECT_TRUE(drains("both", second));
}

TEST_F(GraphTest, AChangeIsOfLaterReplays) {
  const Node node = added({wait(words_, 0, 1), write(words_, 1, 1)});
  const Exec exec = instantiated();
  const Stream stream = makeStream();
  ASSERT_EQ(driver().launchGraph(exec, stream), kSuccess);
  Operations operations{wait(words_, 0, 1), write(words_, 2, 7)};
  BatchNode parameters{.context = context_, .count = 2, .operations = operations.data()};
  ASSERT_EQ(driver().setBatchNode(exec, node, &parameters), kSuccess);
  open();
  EXPECT_TRUE(drains("a replay", stream));
  EXPECT_EQ(words_[1], 1u);
  EXPECT_EQ(words_[2], 0u);
  ASSERT_EQ(driver().launchGraph(exec, stream), kSuccess);
  EXPECT_TRUE(drains("a replay", stream));
  EXPECT_EQ(words_[2], 7u);
  parameters.count = 1;  // not as many
  EXPECT_EQ(driver().setBatchNode(exec, node, &parameters), kInvalidValue);
}

TEST_F(GraphTest, DestroyedTwiceIsAnError) {
  const Exec exec = instantiated();
  EXPECT_EQ(driver().destroyExec(exec), kSuccess);
  EXPECT_EQ(driver().destroyExec(exec), kInvalidValue);
  EXPECT_EQ(driver().launchGraph(exec, makeStream()), kInvalidValue);
  EXPECT_EQ(driver().destroyGraph(graph_), kSuccess);
  EXPECT_EQ(driver().destroyGraph(graph_), kInvalidValue);
}

TEST_F(GraphTest, AUserObjectEndsWithTheLastReplayInAThreadOfTheDriver) {
  struct End {
    std::atomic<bool> is{false};
    std::atomic<Result> call{kSuccess};
  } end;
  const auto tell = [](void* data) {
    static_cast<End*>(data)->call = driver().synchronize();
    static_cast<End*>(data)->is = true;
  };
  UserObject object = nullptr;
  EXPECT_EQ(driver().createUserObject(&object, &end, tell, 1, 0), kInvalidValue);
  ASSERT_EQ(driver().createUserObject(&object, &end, tell, 1, 1), kSuccess);
  ASSERT_EQ(driver().retainUserObject(graph_, object, 1, 1), kSuccess);
  added({wait(words_, 0, 1)});
  const Exec exec = instantiated();
  EXPECT_EQ(driver().destroyGraph(graph_), kSuccess);
  ASSERT_EQ(driver().launchGraph(exec, makeStream()), kSuccess);
  EXPECT_EQ(driver().destroyExec(exec), kSuccess);
  EXPECT_FALSE(eventually([&] { return end.is.load(); }, kShort));
  open();
  EXPECT_TRUE(eventually([&] { return end.is.load(); }));
  EXPECT_EQ(end.call, kNotPermitted);
}

TEST_F(GraphTest, ConditionalBodiesTakeOperationsUntilTheyAreInstantiated) {
  ConditionalNode conditional;
  conditional.context = context_;
  ASSERT_EQ(driver().createConditional(&conditional.handle, graph_, context_, 1, 1), kSuccess);
  Node node = nullptr;
  ASSERT_EQ(driver().addNode(&node, graph_, nullptr, nullptr, 0, &conditional), kSuccess);
  Exec exec = nullptr;
  EXPECT_EQ(driver().instantiate(&exec, graph_, 0), kSuccess);
  std::swap(graph_, conditional.bodies[0]);
  added({write(words_, 1, 1)});
  std::swap(graph_, conditional.bodies[0]);
  EXPECT_EQ(driver().instantiate(&exec, graph_, 0), kInvalidValue);
}

/// CUgraphNodeParams
template <class Part>
struct AnyNode {
  int type;
  int reserved[3]{};
  Part part;
  char rest[240 - sizeof(Part)]{};
};

TEST_F(GraphTest, TakesKernelsHostFunctionsAndEmptyNodes) {
  struct KernelPart {
    Kernel kernel;
    unsigned blocks[3]{1, 1, 1}, threads[3]{1, 1, 1}, shared = 0;
    void** arguments;
    void* others[3]{};
  };
  struct HostPart {
    void (*function)(void*);
    void* data;
  };
  Address word = words_.at(1);
  std::uint64_t value = 5;
  void* arguments[]{&word, &value};
  AnyNode<KernelPart> kernel{.type = 0,
                             .part = {.kernel = kernelOf("write_word"), .arguments = arguments}};
  static std::atomic<int> calls{0};
  AnyNode<HostPart> host{.type = 3, .part = {.function = [](void*) { ++calls; }, .data = nullptr}};
  AnyNode<char> empty{.type = 5, .part = 0};
  Node nodes[3]{};
  ASSERT_EQ(driver().addNode(&nodes[0], graph_, nullptr, nullptr, 0, &kernel), kSuccess);
  ASSERT_EQ(driver().addNode(&nodes[1], graph_, nodes, nullptr, 1, &host), kSuccess);
  ASSERT_EQ(driver().addNode(&nodes[2], graph_, nodes, nullptr, 2, &empty), kSuccess);
  value = 6;  // the node has a copy
  const Stream stream = makeStream();
  ASSERT_EQ(driver().launchGraph(instantiated(), stream), kSuccess);
  EXPECT_TRUE(drains("a graph of three kinds", stream));
  EXPECT_EQ(words_[1], 5u);
  EXPECT_EQ(calls, 1);
}

class KernelTest : public CudaTest {};

TEST_F(KernelTest, IsFoundInAModuleThatHasIt) {
  Module module = nullptr;
  Kernel kernel = nullptr;
  EXPECT_EQ(driver().loadModule(&module, "no kernels"), 200);
  ASSERT_EQ(driver().loadModule(&module, ".version 8.0\n.visible .entry write_word()"), kSuccess);
  EXPECT_EQ(driver().getFunction(&kernel, module, "write_word"), kSuccess);
  EXPECT_EQ(driver().getFunction(&kernel, module, "wait_word"), kNotFound);
  EXPECT_EQ(driver().getFunction(&kernel, module, "write"), kNotFound);
  EXPECT_EQ(driver().unloadModule(module), kSuccess);
  EXPECT_EQ(driver().getFunction(&kernel, module, "write_word"), kInvalidHandle);
}

TEST_F(KernelTest, MayHaveThreadsThatWaitForEachOther) {
  stand_in::registerKernel(
      "meet",
      +[](std::uint64_t* sum, std::uint64_t* seen) {
        __atomic_fetch_add(&sum[stand_in::place().block], 1, __ATOMIC_RELAXED);
        stand_in::syncThreads();
        if (stand_in::place().thread == 0)
          seen[stand_in::place().block] = sum[stand_in::place().block];
      },
      stand_in::Threads::AtOnce);
  Module module = nullptr;
  Kernel kernel = nullptr;
  ASSERT_EQ(driver().loadModule(&module, ".version 8.0\n.entry meet()"), kSuccess);
  ASSERT_EQ(driver().getFunction(&kernel, module, "meet"), kSuccess);
  Address sum = words_.at(1), seen = words_.at(2);
  void* arguments[]{&sum, &seen};
  const Stream stream = makeStream();
  const auto launched = [&](unsigned blocks, unsigned threads) {
    return driver().launch(kernel, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr);
  };
  EXPECT_EQ(launched(2, 2000), kInvalidValue);
  EXPECT_EQ(launched(2, 200), 701);
  ASSERT_EQ(launched(2, 8), kSuccess);
  ASSERT_TRUE(drains("a kernel", stream));
  const auto* const both = reinterpret_cast<const std::uint64_t*>(&words_[2]);
  EXPECT_EQ(both[0], 8u);
  EXPECT_EQ(both[1], 8u);
}

}  // namespace
}  // namespace gpu
