// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A graph that receives a message, adds 1 to its numbers, and sends it on to two others. It is made
// once, by a capture or node by node, and each launch does all of it again, with no call of UCXX.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "peers.h"

namespace {

constexpr unsigned kCount = 1024, kBlocks = 2, kThreads = 32;
constexpr std::uint32_t kLaunches = 20;
constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);
constexpr ucxx::Tag kTag{7};
constexpr std::size_t kRoot = 0, kMiddle = 1, kLeaves[] = {2, 3};

using Numbers = std::vector<std::uint32_t>;
using Requests = std::vector<std::shared_ptr<ucxx::Request>>;

__global__ void addOne(std::uint32_t* data, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] += 1;
}

void sendOn(const Peer& middle, std::uint32_t* data, const ucxx::Condition& condition,
            Requests& requests) {
  for (const std::size_t leaf : kLeaves)
    requests.push_back(
        middle.to[leaf]->tagSendBuilder(data, kBytes, kTag).condition(condition).build());
}

cudaGraph_t capture(const Peer& middle, std::uint32_t* data, cudaStream_t stream,
                    Requests& requests) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  const auto here = ucxx::Condition::stream(stream);
  requests.push_back(
      middle.worker->tagRecvBuilder(data, kBytes, kTag).condition(here).build());  // a node
  launch(addOne, kBlocks, kThreads, stream, data, kCount);  // after the receive has ended
  sendOn(middle, data, here, requests);                     // a node for both, after the kernel
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  return graph;
}

/// The same graph by hand.
cudaGraph_t build(const Peer& middle, std::uint32_t* data, Requests& requests) {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  const auto arrived = ucxx::Condition::graph(graph);
  requests.push_back(middle.worker->tagRecvBuilder(data, kBytes, kTag).condition(arrived).build());

  unsigned count = kCount;
  void* arguments[] = {&data, &count};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(addOne);
  kernel.gridDim = dim3(kBlocks);
  kernel.blockDim = dim3(kThreads);
  kernel.kernelParams = arguments;
  const cudaGraphNode_t receive = arrived.node();  // the first post has made it
  cudaGraphNode_t added = nullptr;
  check(cudaGraphAddKernelNode(&added, graph, &receive, 1, &kernel), "cudaGraphAddKernelNode");

  sendOn(middle, data, ucxx::Condition::graph(graph, {added}), requests);
  return graph;
}

/// How many numbers came wrong at the leaves.
unsigned broadcast(const std::vector<Peer>& peers, cudaGraphExec_t exec, cudaStream_t stream,
                   std::uint32_t value) {
  const Numbers sent(kCount, value);
  Numbers received[] = {Numbers(kCount), Numbers(kCount)};
  check(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");  // it waits for the message

  Requests requests;
  for (std::size_t i = 0; i < 2; ++i)
    requests.push_back(peers[kLeaves[i]].worker->tagRecv(received[i].data(), kBytes, kTag));
  requests.push_back(peers[kRoot].to[kMiddle]->tagSend(sent.data(), kBytes, kTag));
  for (const auto& request : requests) {
    request->wait();
    request->checkError();
  }
  unsigned wrong = 0;
  for (const Numbers& numbers : received)
    for (const std::uint32_t number : numbers) wrong += number != value + 1;
  return wrong;
}

/// Launches the graph again and again, with other numbers each time, and ends it.
unsigned replay(const char* made, const std::vector<Peer>& peers, cudaGraph_t graph,
                cudaStream_t stream, const Requests& requests) {
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
  unsigned wrong = 0;
  for (std::uint32_t launch = 1; launch <= kLaunches; ++launch)
    wrong += broadcast(peers, exec, stream, 100 * launch);
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  std::printf("%s: %u launches, %u numbers came wrong\n", made, kLaunches, wrong);

  check(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
  check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  for (const auto& request : requests) {  // they end with the graph
    request->wait();
    request->checkError();
  }
  return wrong;
}

}  // namespace

int main() {
  check(cudaSetDevice(0), "cudaSetDevice");
  const cudaStream_t stream = makeStream();
  auto* const data = makePinned<std::uint32_t>(kCount);
  launch(addOne, 1, 1, stream, data, 0);  // a first launch waits for every stream that waits
  check(cudaStreamSynchronize(stream), "the first launch");
  auto peers = makePeers(4);

  Requests captured, built;
  const cudaGraph_t by_capture = capture(peers[kMiddle], data, stream, captured);
  unsigned wrong = replay("captured in a stream", peers, by_capture, stream, captured);
  const cudaGraph_t by_hand = build(peers[kMiddle], data, built);
  wrong += replay("made node by node", peers, by_hand, stream, built);

  peers.clear();
  check(cudaFreeHost(data), "cudaFreeHost");
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  return wrong == 0 ? 0 : 1;
}
