// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A worker that sends four numbers to itself: every class once, in a screenful.

#include <cstdio>
#include <vector>

#include <ucxx/api.h>

int main() {
  auto context = ucxx::createContext();
  auto worker = context->createWorker();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());

  const std::vector<int> sent{1, 2, 3, 4};
  std::vector<int> received(sent.size());
  const std::vector<std::shared_ptr<ucxx::Request>> requests{
      endpoint->tagSend(sent.data(), sent.size() * sizeof(int), 7),
      endpoint->tagRecv(received.data(), received.size() * sizeof(int), 7)};
  ucxx::waitRequests(worker, requests);

  std::printf("received %zu bytes: %d %d %d %d\n", requests[1]->getReceivedLength(), received[0],
              received[1], received[2], received[3]);
  return received == sent ? 0 : 1;
}
