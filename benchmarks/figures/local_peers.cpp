// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What many local peers cost a worker that has nothing to do: an idle progress(), and memory.

#include <cinttypes>
#include <fstream>
#include <sstream>

#include <poll.h>
#include <sys/resource.h>

#include "figures.h"

namespace {

constexpr std::size_t kCrowds[] = {1, 100, 1000};
constexpr std::size_t kPeersOfProcess = 50;
constexpr int kRepetitions = 7;
constexpr int kCalls = 20'000;
/// Rings that are idle are polled for some time, and then left one after the other.
constexpr int kUntilCool = 40'000;

/// Workers that connect to the parent's, one after the other, and then do nothing. It tells how
/// many.
void beIdle(figures::Peer& parent) {
  const auto port = static_cast<std::uint16_t>(parent.hear());
  const long count = parent.hear();
  const auto context = figures::makeContext("auto");
  std::vector<std::shared_ptr<ucxx::Worker>> workers;
  std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints;
  for (long i = 0; i < count; ++i) {
    workers.push_back(context->createWorker());
    endpoints.push_back(workers.back()->createEndpointFromHostname("127.0.0.1", port));
    figures::progressUntil(*workers.back(), "the connection",
                           [&] { return !endpoints.back()->getPeerAddress().empty(); });
    if (endpoints.back()->getTransports().front().transport != "local")
      throw std::runtime_error("no local channel:\n" + workers.back()->describe());
  }
  parent.tell(count);
  parent.hear();
}

using Processes = std::vector<std::unique_ptr<figures::Peer>>;

/// The peers that a worker has, each of another worker. Their processes were started before UCXX
/// was used in this one.
class Crowd {
 public:
  Crowd(ucxx::Worker& worker, const Processes& processes)
      : worker_(worker), acceptor_(worker), next_(processes.begin()) {}

  void growTo(std::size_t count) {
    while (size_ < count) add(std::min(kPeersOfProcess, count - size_));
    figures::progressUntil(worker_, "all endpoints", [&] {
      for (auto& endpoint : acceptor_.take()) endpoints_.push_back(std::move(endpoint));
      return endpoints_.size() == count;
    });
  }

 private:
  void add(std::size_t count) {
    const figures::Peer& peer = **next_++;
    peer.tell(acceptor_.port());
    peer.tell(static_cast<long>(count));
    pollfd answer{peer.fd(), POLLIN, 0};
    figures::progressUntil(worker_, "peers", [&] { return ::poll(&answer, 1, 0) != 0; });
    size_ += static_cast<std::size_t>(peer.hear());
  }

  ucxx::Worker& worker_;
  figures::Acceptor acceptor_;
  Processes::const_iterator next_;
  std::vector<std::shared_ptr<ucxx::Endpoint>> endpoints_;
  std::size_t size_ = 0;
};

nlohmann::json idleProgress(ucxx::Worker& worker) {
  for (int i = 0; i < kUntilCool; ++i) worker.progress();
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto start = figures::Clock::now();
    for (int call = 0; call < kCalls; ++call) worker.progress();
    times.push_back(figures::nanosecondsSince(start) / kCalls);
  }
  return figures::middleOf(times);
}

/// A pair of workers has less; more is the library memory of a process: addresses, whose pages come
/// with the buffers in it.
constexpr double kMostKibOfPair = 1024;

struct Memory {
  double shared_kib = 0, private_kib = 0;

  static Memory now() {
    Memory memory;
    std::ifstream maps("/proc/self/maps"), sums("/proc/self/smaps_rollup");
    for (std::string line; std::getline(maps, line);) {
      std::uint64_t begin = 0, end = 0;
      if (line.find("/memfd:ucxx") == line.npos ||
          std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64, &begin, &end) != 2)
        continue;
      const double kib = static_cast<double>(end - begin) / 1024;
      if (kib <= kMostKibOfPair) memory.shared_kib += kib;
    }
    for (std::string line; std::getline(sums, line);) {
      std::istringstream words(line);
      std::string name;
      double kib = 0;
      words >> name >> kib;
      if (name == "Private_Clean:" || name == "Private_Dirty:") memory.private_kib += kib;
    }
    return memory;
  }
};

nlohmann::json figure() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  Processes processes;
  for (std::size_t i = 0; i < kCrowds[2] / kPeersOfProcess + 1; ++i)
    processes.push_back(std::make_unique<figures::Peer>(beIdle));

  const auto worker = figures::makeContext("auto")->createWorker();
  Crowd crowd(*worker, processes);
  nlohmann::json result;
  Memory before;
  for (const std::size_t count : kCrowds) {
    if (count == kCrowds[2]) before = Memory::now();
    crowd.growTo(count);
    result["progress_ns"][std::to_string(count)] = idleProgress(*worker);
  }
  const Memory after = Memory::now();
  const auto pairs = static_cast<double>(kCrowds[2] - kCrowds[1]);
  result["shared_kib_per_pair"] = (after.shared_kib - before.shared_kib) / pairs;
  result["private_kib_per_pair"] = (after.private_kib - before.private_kib) / pairs;
  return result;
}

}  // namespace

int main() { return figures::print(figure); }
