// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The program of the documents: a listener, an endpoint to it, integers sent from one to the other.

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include <ucxx/api.h>

namespace {

struct Server {
  std::shared_ptr<ucxx::Listener> listener;
  std::shared_ptr<ucxx::Endpoint> endpoint;
  std::atomic<bool> accepted{false};

  static void accept(ucp_conn_request_h request, void* argument) {
    auto& server = *static_cast<Server*>(argument);
    server.endpoint = server.listener->createEndpointFromConnRequest(request);
    server.accepted = true;
  }
};

}  // namespace

int main() {
  auto context = ucxx::createContext();
  auto server_worker = context->createWorker();
  auto client_worker = context->createWorker();
  Server server;
  server.listener = server_worker->createListener(0, &Server::accept, &server, "127.0.0.1");
  server_worker->startProgressThread();

  auto endpoint =
      client_worker->createEndpointFromHostname("127.0.0.1", server.listener->getPort());
  while (!server.accepted) client_worker->progress();

  std::vector<int> sent{10, 20, 30}, received(3);
  auto receive = server.endpoint->tagRecv(received.data(), received.size() * sizeof(int), 0);
  auto send = endpoint->tagSend(sent.data(), sent.size() * sizeof(int), 0);
  ucxx::waitSingleRequest(client_worker, send);
  ucxx::waitSingleRequest(server_worker, receive);
  std::printf("the server received %d %d %d\n", received[0], received[1], received[2]);
  return received == sent ? 0 : 1;
}
