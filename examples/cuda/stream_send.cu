// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Sends and receives at their places in a stream. One stream fills a buffer and sends it, the other
// one receives it and adds it up, step after step. The thread that puts all of this into the
// streams waits for nothing until the end.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "peers.h"

namespace {

constexpr unsigned kCount = 4096, kBlocks = 2, kThreads = 32;
constexpr std::uint32_t kSteps = 16;
constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);
constexpr ucxx::Tag kTag{7};

using Requests = std::vector<std::shared_ptr<ucxx::Request>>;

__global__ void fill(std::uint32_t* data, unsigned count, std::uint32_t step) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] = step * i;
}

__global__ void add(std::uint32_t* sums, const std::uint32_t* data, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    sums[i] += data[i];
}

void enqueueSend(ucxx::Endpoint& endpoint, std::uint32_t* data, std::uint32_t step,
                 cudaStream_t stream, Requests& requests) {
  launch(fill, kBlocks, kThreads, stream, data, kCount, step);
  auto send = endpoint.tagSendBuilder(data, kBytes, kTag)
                  .condition(ucxx::Condition::stream(stream))
                  .build();  // leaves when `fill` has ended
  send->waitOn(stream);      // what comes next in the stream may fill the buffer again
  requests.push_back(send);
}

void enqueueReceive(ucxx::Worker& worker, std::uint32_t* data, std::uint32_t* sums,
                    cudaStream_t stream, Requests& requests) {
  auto receive = worker.tagRecvBuilder(data, kBytes, kTag)
                     .condition(ucxx::Condition::stream(stream))
                     .build();  // begins when the `add` before it has ended
  receive->waitOn(stream);      // what comes next in the stream finds the message
  launch(add, kBlocks, kThreads, stream, sums, data, kCount);
  requests.push_back(receive);
}

/// The first launch of a kernel waits for every stream that waits. So each has run once before.
void warmUp(cudaStream_t stream) {
  launch(fill, 1, 1, stream, nullptr, 0, 0);
  launch(add, 1, 1, stream, nullptr, nullptr, 0);
  check(cudaStreamSynchronize(stream), "the first launches");
}

/// How many sums are wrong: in step k word i was k * i.
unsigned wrongSums(const std::uint32_t* sums) {
  constexpr std::uint32_t kAll = kSteps * (kSteps + 1) / 2;
  unsigned wrong = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) wrong += sums[i] != kAll * i;
  return wrong;
}

}  // namespace

int main() {
  check(cudaSetDevice(0), "cudaSetDevice");
  const cudaStream_t sending = makeStream(), receiving = makeStream();
  auto* const sent = makePinned<std::uint32_t>(kCount);
  auto* const received = makePinned<std::uint32_t>(kCount);
  auto* const sums = makePinned<std::uint32_t>(kCount);
  for (unsigned i = 0; i < kCount; ++i) sums[i] = 0;
  warmUp(sending);
  auto peers = makePeers(2);

  Requests requests;
  for (std::uint32_t step = 1; step <= kSteps; ++step) {
    enqueueSend(*peers[0].to[1], sent, step, sending, requests);
    enqueueReceive(*peers[1].worker, received, sums, receiving, requests);
  }
  std::printf("%u steps are in the streams; now the program waits\n", kSteps);
  check(cudaStreamSynchronize(sending), "the stream that sends");
  check(cudaStreamSynchronize(receiving), "the stream that receives");
  for (const auto& request : requests) request->checkError();  // a stream goes on after a failure

  const unsigned wrong = wrongSums(sums);
  std::printf("%u numbers were sent %u times and added up; %u sums are wrong\n", kCount, kSteps,
              wrong);
  peers.clear();
  check(cudaFreeHost(sent), "cudaFreeHost");
  check(cudaFreeHost(received), "cudaFreeHost");
  check(cudaFreeHost(sums), "cudaFreeHost");
  check(cudaStreamDestroy(sending), "cudaStreamDestroy");
  check(cudaStreamDestroy(receiving), "cudaStreamDestroy");
  return wrong == 0 ? 0 : 1;
}
