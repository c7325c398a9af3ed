// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Half a round trip of 8 B to another process over the local channel: alone, and while the same
// worker has a peer over TCP that says nothing.

#include <poll.h>

#include "figures.h"

namespace {

constexpr ucxx::Tag kPing{1}, kPong{2};
constexpr int kRepetitions = 7;
constexpr int kWarmUp = 20'000, kRoundTrips = 100'000;

/// Sends back what comes from the newest client.
void echo(figures::Peer& parent) {
  figures::pinTo(0);
  const auto worker = figures::makeContext("auto")->createWorker();
  figures::Acceptor acceptor(*worker);
  parent.tell(acceptor.port());
  std::uint64_t value = 0;
  std::shared_ptr<ucxx::Endpoint> client;
  std::shared_ptr<ucxx::Request> came, sent;
  pollfd ended{parent.fd(), POLLIN, 0};
  for (unsigned round = 1; round % 4096 != 0 || ::poll(&ended, 1, 0) == 0; ++round) {
    worker->progress();
    if (came != nullptr && came->isCompleted() && came->getStatus() == UCS_OK) {
      sent = client->tagSend(&value, sizeof value, kPong);
      came = client->tagRecv(&value, sizeof value, kPing);
    }
    if (round % 256 != 0) continue;
    for (auto& endpoint : acceptor.take()) {
      client = std::move(endpoint);
      came = client->tagRecv(&value, sizeof value, kPing);
    }
  }
}

/// Sleeps when it has answered.
void beSilent(figures::Peer& parent) {
  const auto worker = figures::makeContext("off")->createWorker();
  figures::Acceptor acceptor(*worker);
  parent.tell(acceptor.port());
  std::vector<std::shared_ptr<ucxx::Endpoint>> clients;
  worker->initBlockingProgressMode();
  pollfd ready[] = {{parent.fd(), POLLIN, 0}, {worker->getEpollFileDescriptor(), POLLIN, 0}};
  while ((ready[0].revents & (POLLIN | POLLHUP)) == 0) {
    while (worker->progress()) {
    }
    for (auto& endpoint : acceptor.take()) clients.push_back(std::move(endpoint));
    if (worker->arm()) ::poll(ready, std::size(ready), -1);
  }
}

std::shared_ptr<ucxx::Endpoint> connect(ucxx::Worker& worker, std::uint16_t port) {
  auto endpoint = worker.createEndpointFromHostname("127.0.0.1", port);
  figures::progressUntil(worker, "the connection",
                         [&] { return !endpoint->getPeerAddress().empty(); });
  return endpoint;
}

void roundTrip(ucxx::Worker& worker, ucxx::Endpoint& endpoint) {
  std::uint64_t out = 42, in = 0;
  const auto sent = endpoint.tagSend(&out, sizeof out, kPing);
  const auto came = endpoint.tagRecv(&in, sizeof in, kPong);
  figures::finish(worker, *came, "the echo");
  figures::finish(worker, *sent, "the message");
}

/// The typical one.
double halfRoundTrip(ucxx::Worker& worker, ucxx::Endpoint& endpoint) {
  for (int i = 0; i < kWarmUp; ++i) roundTrip(worker, endpoint);
  std::vector<double> times(kRoundTrips);
  auto before = figures::Clock::now();
  for (double& time : times) {
    roundTrip(worker, endpoint);
    const auto now = figures::Clock::now();
    time = std::chrono::duration<double, std::nano>(now - before).count() / 2;
    before = now;
  }
  std::nth_element(times.begin(), times.begin() + kRoundTrips / 2, times.end());
  return times[kRoundTrips / 2];
}

nlohmann::json figure() {
  const figures::Peer far(beSilent), near(echo);
  const auto far_port = static_cast<std::uint16_t>(far.hear());
  const auto near_port = static_cast<std::uint16_t>(near.hear());
  figures::pinTo(1);
  const auto context = figures::makeContext("auto");
  std::vector<double> alone, in_company, ratio;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto worker = context->createWorker();
    const auto endpoint = connect(*worker, near_port);
    if (endpoint->getTransports().front().transport != "local")
      throw std::runtime_error("no local channel:\n" + worker->describe());
    alone.push_back(halfRoundTrip(*worker, *endpoint));
    const auto silent = connect(*worker, far_port);
    in_company.push_back(halfRoundTrip(*worker, *endpoint));
    ratio.push_back(in_company.back() / alone.back());
  }
  return {{"alone_ns", figures::middleOf(alone)},
          {"in_company_ns", figures::middleOf(in_company)},
          {"ratio", figures::middleOf(ratio)}};
}

}  // namespace

int main() { return figures::print(figure); }
