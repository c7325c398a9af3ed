// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Messages of about 70 MB into memory of the library: what they take of it, what both processes
// have resident while they are kept and after ten idle seconds, how fast they come when each is
// dropped before the next, and how many find warm memory then.

#include <cstring>
#include <fstream>
#include <random>

#include "figures.h"

namespace {

constexpr std::size_t kSize = 70'000'000;
constexpr int kKept = 8;
constexpr int kStreamed = 40;
constexpr auto kSilence = std::chrono::seconds(10);
constexpr double kMib = 1 << 20;

double residentMib() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / kMib;
}

using Buffer = std::shared_ptr<ucxx::Buffer>;

/// `count` messages, the same sizes on both sides each time.
std::vector<std::size_t> sizesOf(int count, bool varies) {
  std::minstd_rand random(1);
  std::uniform_int_distribution<std::size_t> size(kSize / 2, kSize);
  std::vector<std::size_t> sizes(static_cast<std::size_t>(count), kSize);
  if (varies)
    for (std::size_t& each : sizes) each = size(random);
  return sizes;
}

void send(ucxx::Worker& worker, ucxx::Endpoint& endpoint, const std::vector<std::size_t>& sizes) {
  static const std::vector<std::byte> bytes(kSize);
  for (const std::size_t size : sizes) {
    const auto request = endpoint.amSend(bytes.data(), size, UCS_MEMORY_TYPE_HOST);
    figures::finish(worker, *request, "a send");
  }
}

Buffer receive(ucxx::Worker& worker, ucxx::Endpoint& endpoint) {
  const auto request = endpoint.amRecv();
  figures::finish(worker, *request, "a receive");
  return request->getRecvBuffer();
}

void idle(ucxx::Worker& worker) {
  const auto end = figures::Clock::now() + kSilence;
  while (figures::Clock::now() < end) {
    worker.progressWorkerEvent(100);
    worker.progress();
  }
}

/// The receiver tells its figures by the pipe, in thousandths.
void tell(const figures::Peer& to, double value) { to.tell(static_cast<long>(value * 1000)); }
double hear(const figures::Peer& from) { return static_cast<double>(from.hear()) / 1000; }

void stream(ucxx::Worker& worker, ucxx::Endpoint& endpoint, const figures::Peer& parent,
            bool varies) {
  const ucxx::PoolStats before = ucxx::poolStats();
  std::vector<double> gb_per_s;
  for (const std::size_t size : sizesOf(kStreamed, varies)) {
    const auto start = figures::Clock::now();
    (void)receive(worker, endpoint);
    gb_per_s.push_back(static_cast<double>(size) / figures::nanosecondsSince(start));
  }
  tell(parent, figures::middleOf(gb_per_s)["median"]);
  const ucxx::PoolStats after = ucxx::poolStats();
  const auto taken = static_cast<double>(after.taken - before.taken);
  tell(parent, taken == 0 ? 0 : static_cast<double>(after.reused - before.reused) / taken);
}

void beReceiver(figures::Peer& parent) {
  figures::pinTo(1);
  const auto worker = figures::makeContext()->createWorker();
  worker->initBlockingProgressMode();
  figures::Acceptor acceptor(*worker);
  parent.tell(acceptor.port());
  std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints;
  figures::progressUntil(*worker, "the sender", [&] {
    endpoints = acceptor.take();
    return !endpoints.empty();
  });
  const double start = residentMib();
  std::vector<Buffer> kept;
  for (int i = 0; i < kKept; ++i) kept.push_back(receive(*worker, *endpoints[0]));
  tell(parent, static_cast<double>(ucxx::poolStats().used_bytes) / kKept / kSize);
  tell(parent, residentMib() - start);
  kept.clear();
  stream(*worker, *endpoints[0], parent, false);
  stream(*worker, *endpoints[0], parent, true);
  parent.hear();
  idle(*worker);
  tell(parent, residentMib() - start);
  parent.hear();
}

nlohmann::json figure() {
  figures::Peer receiver(beReceiver);
  figures::pinTo(0);
  const auto worker = figures::makeContext()->createWorker();
  worker->initBlockingProgressMode();
  const auto endpoint =
      worker->createEndpointFromHostname("127.0.0.1", static_cast<std::uint16_t>(receiver.hear()));
  send(*worker, *endpoint, {});
  figures::progressUntil(*worker, "the endpoint",
                         [&] { return !endpoint->getPeerAddress().empty(); });
  const double start = residentMib();
  nlohmann::json result;
  send(*worker, *endpoint, sizesOf(kKept, false));
  result["memory_per_byte"] = hear(receiver);
  result["resident_mib"]["receiver"]["kept"] = hear(receiver);
  result["resident_mib"]["sender"]["kept"] = residentMib() - start;
  for (const char* sizes : {"same", "varying"}) {
    send(*worker, *endpoint, sizesOf(kStreamed, std::string_view(sizes) == "varying"));
    result["dropped"][sizes]["gb_per_s"] = hear(receiver);
    result["dropped"][sizes]["reused"] = hear(receiver);
  }
  receiver.tell(0);
  idle(*worker);
  result["resident_mib"]["receiver"]["idle"] = hear(receiver);
  result["resident_mib"]["sender"]["idle"] = residentMib() - start;
  receiver.tell(0);
  return result;
}

}  // namespace

int main() { return figures::print(figure); }
