// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the examples in C++ share: kernels that are launched, errors that are told, and peers.

#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

#include <ucxx/api.h>

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// kernel<<<blocks, threads, 0, stream>>>(arguments...), which any compiler of C++ takes.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, cudaStream_t stream,
            std::common_type_t<Parameters>... arguments) {
  void* places[] = {&arguments...};
  check(cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), places, 0, stream),
        "cudaLaunchKernel");
}

/// Memory of the host that kernels and transfers may use at the same time.
template <class T>
T* makePinned(std::size_t count) {
  T* data = nullptr;
  check(cudaMallocHost(&data, count * sizeof(T)), "cudaMallocHost");
  return data;
}

/// Non-blocking: the legacy default stream does not wait for it.
inline cudaStream_t makeStream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream;
}

/// One who sends and receives. Here all are workers of this process; elsewhere each would be a
/// process.
struct Peer {
  std::shared_ptr<ucxx::Worker> worker;
  std::vector<std::shared_ptr<ucxx::Endpoint>> to;  // by the number of the other one
};

/// A progress thread moves each: nobody else could while the program waits for a stream.
inline std::vector<Peer> makePeers(std::size_t count) {
  auto context = ucxx::createContext();
  std::vector<Peer> peers(count);
  for (Peer& peer : peers) {
    peer.worker = context->createWorker();
    peer.worker->startProgressThread();
  }
  for (Peer& peer : peers)
    for (const Peer& other : peers)
      peer.to.push_back(peer.worker->createEndpointFromWorkerAddress(other.worker->getAddress()));
  return peers;
}
