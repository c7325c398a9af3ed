// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a shared secret adds to a connect over loopback TCP to a listener in another process: from
// the call until the endpoint is connected, by turns without and with one.

#include <array>
#include <string_view>

#include "figures.h"

namespace {

constexpr int kRepetitions = 201;
constexpr std::string_view kText = "no more than an example of a secret";

/// Until the end of this process; the other one reads it, too.
class SecretFile {
 public:
  SecretFile() {
    const int file = ::mkstemp(path_);
    if (file < 0 || ::write(file, kText.data(), kText.size()) != std::ssize(kText))
      throw std::runtime_error("no temporary file");
    ::close(file);
  }
  ~SecretFile() { ::unlink(path_); }
  SecretFile(const SecretFile&) = delete;
  SecretFile& operator=(const SecretFile&) = delete;

  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/ucxx_figure_XXXXXX";
};

std::shared_ptr<ucxx::Worker> makeWorker(const SecretFile* secret) {
  ucxx::ConfigMap config{{"TLS", "tcp"}, {"NET_DEVICES", "lo"}, {"UCXX_LOCAL", "off"}};
  if (secret != nullptr) config["UCXX_SECRET_FILE"] = secret->path();
  return ucxx::createContext(config)->createWorker();
}

/// A worker and its listener; keeps what it accepts as long as the peer does.
struct Server {
  explicit Server(const SecretFile* secret) : worker(makeWorker(secret)), acceptor(*worker) {}
  void progress() {
    worker->progress();
    for (auto& endpoint : acceptor.take()) endpoints.push_back(std::move(endpoint));
    std::erase_if(endpoints, [](const auto& endpoint) { return !endpoint->isAlive(); });
  }

  std::shared_ptr<ucxx::Worker> worker;
  figures::Acceptor acceptor;
  std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints;
};

void serve(figures::Peer& parent, const SecretFile& secret) {
  Server without(nullptr), with(&secret);
  parent.tell(without.acceptor.port());
  parent.tell(with.acceptor.port());
  for (;;) {  // until it is killed
    without.progress();
    with.progress();
  }
}

/// Both workers move while either is measured, so that their cost is the same.
struct Clients {
  std::array<std::shared_ptr<ucxx::Worker>, 2> workers;

  void progress() const {
    for (const auto& worker : workers) worker->progress();
  }
  double connectMilliseconds(int which, std::uint16_t port) const {
    const auto start = figures::Clock::now();
    auto endpoint = workers[which]->createEndpointFromHostname("127.0.0.1", port);
    figures::progressUntil(*workers[which], "the connection",
                           [&] { return !endpoint->getPeerAddress().empty(); });
    const double milliseconds = figures::nanosecondsSince(start) / 1e6;
    endpoint->closeBlocking();
    endpoint.reset();
    const auto closed = figures::Clock::now();  // the link goes with its last endpoint
    while (figures::nanosecondsSince(closed) < 5e6) progress();
    return milliseconds;
  }
};

nlohmann::json figure() {
  const SecretFile secret;
  const figures::Peer peer([&](figures::Peer& parent) { serve(parent, secret); });
  std::array<std::uint16_t, 2> ports{};
  for (auto& port : ports) port = static_cast<std::uint16_t>(peer.hear());
  const Clients clients{{makeWorker(nullptr), makeWorker(&secret)}};
  std::array<std::vector<double>, 2> connected;
  std::vector<double> difference;
  for (int i = -1; i < kRepetitions; ++i) {
    std::array<double, 2> times{};
    for (const int which : {i & 1, 1 - (i & 1)})
      times[which] = clients.connectMilliseconds(which, ports[which]);
    if (i < 0) continue;  // starts UCX
    for (const int which : {0, 1}) connected[which].push_back(times[which]);
    difference.push_back(times[1] - times[0]);
  }
  return {{"without_ms", figures::middleOf(connected[0])},
          {"with_ms", figures::middleOf(connected[1])},
          {"difference_ms", figures::middleOf(difference)}};
}

}  // namespace

int main() { return figures::print(figure); }
