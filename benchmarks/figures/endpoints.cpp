// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// 1000 endpoints between one pair of workers in two processes that may open 1024 descriptors:
// connect, one message each, close. What is left afterwards is counted on both sides.

#include <filesystem>

#include <malloc.h>
#include <sys/resource.h>

#include "figures.h"

namespace {

constexpr int kEndpoints = 1000;
constexpr int kRounds = 16;
constexpr int kWarm = 8;    // rounds that fill the pools
constexpr int kTimers = 1;  // that UCX keeps from the first endpoint of a worker on

struct Left {
  long descriptors, threads, bytes;
};

long entries(const char* folder) {
  long count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

/// What this process holds now.
Left held() {
  return {entries("/proc/self/fd"), entries("/proc/self/task"),
          static_cast<long>(::mallinfo2().uordblks)};
}

/// Lets the link go, which says goodbye after its last endpoint: what stays too long is counted.
Left heldAlone(ucxx::Worker& worker, long descriptors) {
  const auto start = figures::Clock::now();
  while (entries("/proc/self/fd") > descriptors && figures::nanosecondsSince(start) < 2e9)
    worker.progress();
  return held();
}

nlohmann::json toJson(const Left& before, const Left& after) {
  return {{"descriptors", after.descriptors - before.descriptors},
          {"threads", after.threads - before.threads},
          {"bytes", after.bytes - before.bytes}};
}

/// Accepts, receives one message of each, and waits until the other side has closed all.
class Server {
 public:
  explicit Server(figures::Peer& parent) : parent_(parent) {
    worker_ = figures::makeContext()->createWorker();
    listener_ = worker_->createListener(
        0,
        [](ucp_conn_request_h request, void* list) {
          static_cast<std::vector<ucp_conn_request_h>*>(list)->push_back(request);
        },
        &asked_, "127.0.0.1");
    parent_.tell(listener_->getPort());
  }

  void rounds() {
    const long alone = held().descriptors + kTimers;
    for (int round = 0; round < kRounds; ++round) {
      serve();
      const Left now = heldAlone(*worker_, alone);
      for (const long number : {now.descriptors, now.threads, now.bytes}) parent_.tell(number);
    }
    parent_.hear();
  }

 private:
  void serve() {
    std::vector<std::uint64_t> values(kEndpoints);
    std::vector<std::shared_ptr<ucxx::Request>> receives;
    receives.reserve(kEndpoints);
    for (int i = 0; i < kEndpoints; ++i)
      receives.push_back(worker_->tagRecv(&values[i], sizeof values[i], ucxx::Tag(i)));
    std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints;
    figures::progressUntil(*worker_, "all endpoints", [&] {
      for (ucp_conn_request_h request : std::exchange(asked_, {}))
        endpoints.push_back(listener_->createEndpointFromConnRequest(request));
      return endpoints.size() == kEndpoints;
    });
    for (const auto& receive : receives) figures::finish(*worker_, *receive, "all messages");
    for (const auto& endpoint : endpoints)
      figures::progressUntil(*worker_, "the close of all", [&] { return !endpoint->isAlive(); });
    endpoints.clear();
    receives.clear();
  }

  figures::Peer& parent_;
  std::shared_ptr<ucxx::Worker> worker_;
  std::shared_ptr<ucxx::Listener> listener_;
  std::vector<ucp_conn_request_h> asked_;
};

double round(ucxx::Worker& worker, std::uint16_t port, long& most_descriptors) {
  const auto start = figures::Clock::now();
  std::vector<std::uint64_t> values(kEndpoints, 7);
  std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints;
  std::vector<std::shared_ptr<ucxx::Request>> requests;
  for (int i = 0; i < kEndpoints; ++i) {
    endpoints.push_back(worker.createEndpointFromHostname("127.0.0.1", port));
    requests.push_back(endpoints.back()->tagSend(&values[i], sizeof values[i], ucxx::Tag(i)));
    worker.progress();
  }
  for (const auto& request : requests) figures::finish(worker, *request, "all sends");
  most_descriptors = std::max(most_descriptors, entries("/proc/self/fd"));
  requests.clear();
  for (const auto& endpoint : endpoints)
    if (auto closing = endpoint->close()) requests.push_back(std::move(closing));
  for (const auto& request : requests) figures::finish(worker, *request, "the close of all");
  return figures::nanosecondsSince(start) / 1e9;
}

nlohmann::json figure() {
  const rlimit limit{1024, 1024};
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    throw std::runtime_error("cannot limit descriptors to 1024");
  const figures::Peer peer([](figures::Peer& parent) { Server(parent).rounds(); });
  const auto port = static_cast<std::uint16_t>(peer.hear());
  const auto worker = figures::makeContext()->createWorker();
  const long alone = held().descriptors + kTimers;

  std::vector<double> seconds;
  std::vector<Left> here, there;
  long most_descriptors = 0;
  seconds.reserve(kRounds);
  here.reserve(kRounds);
  there.reserve(kRounds);
  for (int i = 0; i < kRounds; ++i) {
    seconds.push_back(round(*worker, port, most_descriptors));
    here.push_back(heldAlone(*worker, alone));
    const long descriptors = peer.hear(), threads = peer.hear(), bytes = peer.hear();
    there.push_back({descriptors, threads, bytes});
  }
  peer.tell(0);
  return {{"seconds", figures::middleOf({seconds.begin() + kWarm, seconds.end()})},
          {"first_seconds", seconds.front()},
          {"most_descriptors", most_descriptors},
          {"of_endpoints", (kRounds - kWarm) * kEndpoints},
          {"left_here", toJson(here[kWarm - 1], here.back())},
          {"left_there", toJson(there[kWarm - 1], there.back())}};
}

}  // namespace

int main() { return figures::print(figure); }
