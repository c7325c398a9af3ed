// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Frames of an animation, for two terminals: the server prints the command that calls it. The
// client's threads fill rows of one frame after the other; each row leaves when it is full, and the
// server works on it while others are still being filled. Nothing of this is negotiated twice.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <ucxx/api.h>

namespace {

constexpr std::size_t kRows = 16, kColumns = 1024, kThreads = 4;
constexpr std::size_t kBytes = kRows * kColumns * sizeof(std::uint64_t);
constexpr std::uint64_t kFrames = 50;

/// Memory of the library: a peer on this machine writes into it, without a message.
struct Picture {
  explicit Picture(const std::shared_ptr<ucxx::Context>& context)
      : memory(ucxx::createMemoryHandle(context, kBytes)),
        pixels(reinterpret_cast<std::uint64_t*>(memory->getBaseAddress())) {}
  std::shared_ptr<ucxx::MemoryHandle> memory;
  std::uint64_t* pixels;
};

void fillRow(std::uint64_t* row, std::uint64_t value) {
  for (std::size_t i = 0; i < kColumns; ++i) row[i] = value;
}

void sendFrames(ucxx::Endpoint& endpoint, const Picture& picture) {
  auto plan = endpoint.prepareSend(picture.pixels, kBytes, endpoint.getPairTags().send, {kRows});
  for (std::uint64_t frame = 1; frame <= kFrames; ++frame) {
    plan->start();
    std::vector<std::thread> threads;
    for (std::size_t first = 0; first < kThreads; ++first) {
      threads.emplace_back([&, first] {
        for (std::size_t row = first; row < kRows; row += kThreads) {
          fillRow(picture.pixels + row * kColumns, frame);
          plan->ready(row);  // it leaves now
        }
      });
    }
    for (auto& thread : threads) thread.join();
    plan->wait();  // the next frame may be filled
    plan->checkError();
  }
}

std::uint64_t sumOfFrames(ucxx::Worker& worker, ucxx::Endpoint& endpoint, const Picture& picture) {
  auto plan = endpoint.prepareRecv(picture.pixels, kBytes, endpoint.getPairTags().receive, {kRows});
  std::uint64_t sum = 0;
  for (std::uint64_t frame = 1; frame <= kFrames; ++frame) {
    plan->start();  // the picture may be written
    for (std::size_t row = 0; row < kRows; ++row) {
      while (!plan->arrived(row) && !plan->isCompleted()) worker.progress();
      plan->checkError();
      sum += picture.pixels[row * kColumns];  // others may still be on their way
    }
    plan->wait();
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  auto context = ucxx::createContext();
  auto worker = context->createWorker();
  const Picture picture(context);
  if (argc == 3) {  // ./prepared HOST PORT: the client
    auto endpoint = worker->createEndpointFromHostname(argv[1], std::stoi(argv[2]));
    sendFrames(*endpoint, picture);
    endpoint->closeBlocking();
    return 0;
  }
  ucp_conn_request_h caller = nullptr;  // ./prepared: the server, for one client
  auto accept = [](auto request, void* to) { *static_cast<ucp_conn_request_h*>(to) = request; };
  auto listener = worker->createListener(0, accept, &caller);
  std::cout << "./prepared 127.0.0.1 " << listener->getPort() << std::endl;
  while (caller == nullptr) worker->waitProgress();
  auto endpoint = listener->createEndpointFromConnRequest(caller);
  const std::uint64_t sum = sumOfFrames(*worker, *endpoint, picture);
  std::cout << kFrames << " frames, the sum is " << sum << std::endl;
  endpoint->closeBlocking();
  return sum == kRows * kFrames * (kFrames + 1) / 2 ? 0 : 1;
}
