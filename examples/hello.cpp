// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A first program, for two terminals: the server prints the command that calls it.

#include <iostream>

#include <ucxx/api.h>

int main(int argc, char** argv) {
  auto worker = ucxx::createContext()->createWorker();
  std::string text = "hello";
  if (argc == 3) {  // ./hello HOST PORT: the client
    auto endpoint = worker->createEndpointFromHostname(argv[1], std::stoi(argv[2]));
    auto tags = endpoint->getPairTags();  // tags that only the two ends of this pair have
    ucxx::waitSingleRequest(worker, endpoint->tagSend(text.data(), text.size(), tags.send));
    ucxx::waitSingleRequest(worker, endpoint->tagRecv(text.data(), text.size(), tags.receive));
    std::cout << "received " << text << std::endl;
    return 0;
  }
  ucp_conn_request_h caller = nullptr;  // ./hello: the server, for one client
  auto accept = [](auto request, void* to) { *static_cast<ucp_conn_request_h*>(to) = request; };
  auto listener = worker->createListener(0, accept, &caller);  // 0: any free port
  std::cout << "./hello 127.0.0.1 " << listener->getPort() << std::endl;
  while (caller == nullptr) worker->waitProgress();  // sleeps until something happens
  auto endpoint = listener->createEndpointFromConnRequest(caller);
  auto tags = endpoint->getPairTags();
  ucxx::waitSingleRequest(worker, endpoint->tagRecv(text.data(), text.size(), tags.receive));
  text.assign(text.rbegin(), text.rend());
  ucxx::waitSingleRequest(worker, endpoint->tagSend(text.data(), text.size(), tags.send));
  endpoint->closeBlocking();
}
