// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A stream: bytes in order, received in other pieces than they were sent in. And several buffers of
// unknown number and size as one message.

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <ucxx/api.h>

int main() {
  auto worker = ucxx::createContext()->createWorker();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());

  const std::string hello = "hello, ", world = "world";
  std::array<char, 4> head{};
  std::array<char, 8> tail{};
  ucxx::waitRequests(worker, {endpoint->streamSend(hello.data(), hello.size()),
                              endpoint->streamSend(world.data(), world.size()),
                              endpoint->streamRecv(head.data(), head.size()),
                              endpoint->streamRecv(tail.data(), tail.size())});
  const std::string came =
      std::string(head.data(), head.size()) + std::string(tail.data(), tail.size());

  const std::vector<int> numbers{1, 2, 3};
  auto sent = endpoint->tagMultiSend({hello.data(), numbers.data()},
                                     {hello.size(), numbers.size() * sizeof(int)}, {0, 0}, 5);
  auto received = endpoint->tagMultiRecv(5, ucxx::TagMaskFull);
  ucxx::waitRequests(worker, {sent, received});
  const auto frames = std::dynamic_pointer_cast<ucxx::RequestTagMulti>(received)->_bufferRequests;

  std::printf("\"%s\", then %zu frames of %zu and %zu bytes\n", came.c_str(), frames.size(),
              frames[0]->buffer->getSize(), frames[1]->buffer->getSize());
  return came == "hello, world" && frames.size() == 2 ? 0 : 1;
}
