// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What workers that are all connected inside a machine hold of memory that they share: before they
// exchange payloads, straight after that, and after five seconds of silence.

#include <fstream>
#include <sstream>

#include "figures.h"

namespace {

constexpr long kWorkers = 16;
constexpr std::size_t kSizes[] = {64 << 10, 256 << 10, 1 << 20};
constexpr int kMessages = 20;
constexpr auto kSilence = std::chrono::seconds(5);

/// Segments of pairs have less; more is library memory, whose blocks are kept for the next buffers.
constexpr long kMostKibOfPair = 8 << 10;

/// Of shared pages this process has its part, as the kernel counts.
long sharedKib() {
  std::ifstream maps("/proc/self/smaps");
  long sum = 0;
  bool is_segment = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string name;
    long kib = 0;
    words >> name;
    if (name.find('-') != name.npos) is_segment = line.find("/memfd:ucxx") != line.npos;
    if (!(words >> kib)) continue;
    if (name == "Size:") is_segment = is_segment && kib <= kMostKibOfPair;
    if (name == "Pss:" && is_segment) sum += kib;
  }
  return sum;
}

using Endpoints = std::vector<std::shared_ptr<ucxx::Endpoint>>;

/// The parent tells the ports of those before it; the others call.
Endpoints connect(ucxx::Worker& worker, figures::Acceptor& acceptor, const figures::Peer& parent) {
  Endpoints endpoints;
  const long before = parent.hear();
  for (long i = 0; i < before; ++i)
    endpoints.push_back(
        worker.createEndpointFromHostname("127.0.0.1", static_cast<std::uint16_t>(parent.hear())));
  figures::progressUntil(worker, "all endpoints", [&] {
    for (auto& endpoint : acceptor.take()) endpoints.push_back(std::move(endpoint));
    return endpoints.size() == kWorkers - 1 &&
           std::all_of(endpoints.begin(), endpoints.end(),
                       [](const auto& endpoint) { return !endpoint->getPeerAddress().empty(); });
  });
  return endpoints;
}

void exchange(ucxx::Worker& worker, const Endpoints& endpoints, std::size_t size) {
  const std::vector<std::byte> sent(size);
  std::vector<std::byte> room(size * endpoints.size());
  for (int i = 0; i < kMessages; ++i) {
    std::vector<std::shared_ptr<ucxx::Request>> requests;
    for (std::size_t peer = 0; peer < endpoints.size(); ++peer) {
      requests.push_back(endpoints[peer]->tagSend(sent.data(), size, ucxx::Tag{size}));
      requests.push_back(endpoints[peer]->tagRecv(&room[peer * size], size, ucxx::Tag{size}));
    }
    for (const auto& request : requests) figures::finish(worker, *request, "a message");
  }
}

void beOne(figures::Peer& parent) {
  const auto worker = figures::makeContext("auto")->createWorker();
  worker->initBlockingProgressMode();
  figures::Acceptor acceptor(*worker);
  parent.tell(acceptor.port());
  const Endpoints endpoints = connect(*worker, acceptor, parent);
  parent.tell(sharedKib());
  parent.hear();
  for (const std::size_t size : kSizes) exchange(*worker, endpoints, size);
  parent.tell(sharedKib());
  const auto end = figures::Clock::now() + kSilence;
  while (figures::Clock::now() < end) {
    worker->progressWorkerEvent(100);
    worker->progress();
  }
  parent.tell(sharedKib());
  parent.hear();
}

nlohmann::json figure() {
  std::vector<std::unique_ptr<figures::Peer>> workers;
  for (long i = 0; i < kWorkers; ++i) workers.push_back(std::make_unique<figures::Peer>(beOne));
  std::vector<long> ports;
  for (const auto& worker : workers) {
    const long port = worker->hear();
    worker->tell(static_cast<long>(ports.size()));
    for (const long before : ports) worker->tell(before);
    ports.push_back(port);
  }
  nlohmann::json result;
  for (const char* when : {"connected", "busy", "silent"}) {
    std::vector<double> mib;
    for (const auto& worker : workers) mib.push_back(static_cast<double>(worker->hear()) / 1024);
    result["shared_mib"][when] = figures::middleOf(mib);
    if (std::string_view(when) != "busy")
      for (const auto& worker : workers) worker->tell(0);
  }
  return result;
}

}  // namespace

int main() { return figures::print(figure); }
