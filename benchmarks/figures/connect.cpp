// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Connecting to a listener in another process over loopback TCP, a new worker each time: from the
// call until the endpoint is connected, and until an 8 B message that was posted at once has come
// back. Then between workers that have met before: on their link, and on a new one.

#include <poll.h>

#include "figures.h"

namespace {

constexpr ucxx::Tag kPing{1}, kPong{2};
constexpr int kRepetitions = 31;

/// Sends back what comes on each endpoint.
class Echo {
 public:
  void add(std::shared_ptr<ucxx::Endpoint> endpoint) {
    auto& client = *clients_.emplace_back(std::make_unique<Client>());
    client.endpoint = std::move(endpoint);
    client.came = client.endpoint->tagRecv(&client.value, sizeof client.value, kPing);
  }
  void look() {
    for (auto& client : clients_)
      if (client->came->getStatus() == UCS_OK && client->sent == nullptr)
        client->sent = client->endpoint->tagSend(&client->value, sizeof client->value, kPong);
    std::erase_if(clients_, [](const auto& client) {
      return !client->endpoint->isAlive() && client->came->isCompleted() &&
             (client->sent == nullptr || client->sent->isCompleted());
    });
  }

 private:
  struct Client {
    std::uint64_t value = 0;
    std::shared_ptr<ucxx::Endpoint> endpoint;
    std::shared_ptr<ucxx::Request> came, sent;
  };
  std::vector<std::unique_ptr<Client>> clients_;
};

void serve(figures::Peer& parent) {
  const auto worker = figures::makeContext()->createWorker();
  std::vector<ucp_conn_request_h> asked;
  const auto listener = worker->createListener(
      0,
      [](ucp_conn_request_h request, void* list) {
        static_cast<std::vector<ucp_conn_request_h>*>(list)->push_back(request);
      },
      &asked, "127.0.0.1");
  parent.tell(listener->getPort());
  Echo echo;
  pollfd ended{parent.fd(), POLLIN, 0};
  for (unsigned round = 1; round % 4096 != 0 || ::poll(&ended, 1, 0) == 0; ++round) {
    worker->progress();
    for (ucp_conn_request_h request : std::exchange(asked, {}))
      echo.add(listener->createEndpointFromConnRequest(request));
    echo.look();
  }
}

double echoMilliseconds(ucxx::Worker& worker, std::uint16_t port,
                        std::shared_ptr<ucxx::Endpoint>& endpoint) {
  std::uint64_t out = 42, in = 0;
  const auto start = figures::Clock::now();
  endpoint = worker.createEndpointFromHostname("127.0.0.1", port);
  const auto came = endpoint->tagRecv(&in, sizeof in, kPong);
  const auto sent = endpoint->tagSend(&out, sizeof out, kPing);
  figures::finish(worker, *came, "the echo");
  figures::finish(worker, *sent, "the message");
  return figures::nanosecondsSince(start) / 1e6;
}

double connectMilliseconds(ucxx::Worker& worker, std::uint16_t port,
                           std::shared_ptr<ucxx::Endpoint>& endpoint) {
  const auto start = figures::Clock::now();
  endpoint = worker.createEndpointFromHostname("127.0.0.1", port);
  figures::progressUntil(worker, "the connection",
                         [&] { return !endpoint->getPeerAddress().empty(); });
  return figures::nanosecondsSince(start) / 1e6;
}

/// Closes, and lets the link go with its last endpoint.
void end(ucxx::Worker& worker, std::shared_ptr<ucxx::Endpoint>& endpoint) {
  endpoint->closeBlocking();
  endpoint.reset();
  const auto start = figures::Clock::now();
  while (figures::nanosecondsSince(start) < 10e6) worker.progress();
}

nlohmann::json figure() {
  const figures::Peer peer(serve);
  const auto port = static_cast<std::uint16_t>(peer.hear());
  const auto context = figures::makeContext();
  std::vector<double> connected, connected_again, first_echo, shared_link, echo_again;
  for (int i = 0; i < kRepetitions; ++i) {
    std::shared_ptr<ucxx::Endpoint> first, second;
    auto worker = context->createWorker();
    connected.push_back(connectMilliseconds(*worker, port, first));
    end(*worker, first);
    connected_again.push_back(connectMilliseconds(*worker, port, first));
    first.reset();
    worker = context->createWorker();
    first_echo.push_back(echoMilliseconds(*worker, port, first));
    shared_link.push_back(echoMilliseconds(*worker, port, second));
    end(*worker, first);
    end(*worker, second);
    echo_again.push_back(echoMilliseconds(*worker, port, first));
  }
  return {{"connected_ms", figures::middleOf(connected)},
          {"connected_again_ms", figures::middleOf(connected_again)},
          {"first_echo_ms", figures::middleOf(first_echo)},
          {"echo_on_shared_link_ms", figures::middleOf(shared_link)},
          {"echo_again_ms", figures::middleOf(echo_again)}};
}

}  // namespace

int main() { return figures::print(figure); }
