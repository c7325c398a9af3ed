// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Who waits for what another process is to do, where they share a processor with each other and
// with busy programs: seconds for 8 MiB through the ring, both ends pinned to one processor, by
// each of the waits; and 8 B between progress threads while other programs keep all processors
// busy.

#include <cmath>

#include <ucxx/request_helper.h>

#include "figures.h"

namespace {

constexpr ucxx::Tag kThere{1}, kBack{2};
constexpr std::size_t kPayload = 8 << 20;
constexpr int kPayloads = 10;
constexpr int kBusyProcesses = 16;
constexpr int kRoundTrips = 300;
constexpr int kRepetitions = 5;

/// Processes that compute for ever, on any processor.
class Busy {
 public:
  explicit Busy(int count) {
    for (int i = 0; i < count; ++i)
      processes_.push_back(std::make_unique<figures::Peer>([](figures::Peer&) {
        for (volatile unsigned turns = 0;;) turns = turns + 1;
      }));
  }

 private:
  std::vector<std::unique_ptr<figures::Peer>> processes_;
};

using Wait = void (*)(ucxx::Worker&, const std::shared_ptr<ucxx::Request>&);

struct Way {
  const char* name;
  Wait wait;
  bool wakeup = true;
  bool thread = false;
};

void byRequest(ucxx::Worker&, const std::shared_ptr<ucxx::Request>& request) {
  if (!request->wait(figures::kPatience)) throw std::runtime_error("waited in vain");
}

void byWaitRequests(ucxx::Worker& worker, const std::shared_ptr<ucxx::Request>& request) {
  ucxx::waitRequests(worker.shared_from_this(), {request});
}

void byEvents(ucxx::Worker& worker, const std::shared_ptr<ucxx::Request>& request) {
  while (!request->isCompleted()) worker.progressWorkerEvent();
}

constexpr Way kWays[] = {
    {"wait", byRequest},
    {"wait, no WAKEUP", byRequest, false},
    {"waitRequests", byWaitRequests},
    {"waitRequests, no WAKEUP", byWaitRequests, false},
    {"progressWorkerEvent", byEvents},
    {"polling thread", byRequest, false, true},
};

/// A worker that has met the other process's.
struct End {
  End(const figures::Peer& other, bool wakeup, const ucxx::ProgressOptions* thread) {
    const std::uint64_t features = UCP_FEATURE_TAG | (wakeup ? UCP_FEATURE_WAKEUP : 0);
    worker = ucxx::createContext({{"UCXX_LOCAL", "only"}, {"UCXX_LOCAL_BULK", "ring"}}, features)
                 ->createWorker();
    const std::string own(worker->getAddress()->getStringView());
    other.tell(static_cast<long>(own.size()));
    for (const char c : own) other.tell(c);
    std::string its(static_cast<std::size_t>(other.hear()), '\0');
    for (char& c : its) c = static_cast<char>(other.hear());
    endpoint = worker->createEndpointFromWorkerAddress(ucxx::createAddressFromString(its));
    if (thread != nullptr) worker->startProgressThread(*thread);
  }
  std::shared_ptr<ucxx::Worker> worker;
  std::shared_ptr<ucxx::Endpoint> endpoint;
};

constexpr ucxx::ProgressOptions kPolling{.mode = ucxx::ProgressMode::Polling};

/// The nanoseconds that `measure` returns, in a process of its own: nothing of UCXX was used in it.
std::vector<double> inProcess(const std::function<std::vector<double>()>& measure) {
  const figures::Peer process([&](figures::Peer& parent) {
    const std::vector<double> times = measure();
    parent.tell(static_cast<long>(times.size()));
    for (const double time : times) parent.tell(std::lround(time));
    (void)parent.hear();
  });
  std::vector<double> times(static_cast<std::size_t>(process.hear()));
  for (double& time : times) time = static_cast<double>(process.hear());
  return times;
}

/// Nanoseconds for each payload and the word that it has come, both ends on one processor.
std::vector<double> payloads(const Way& way) {
  figures::pinTo(0);
  const auto* const thread = way.thread ? &kPolling : nullptr;
  const figures::Peer peer([&](figures::Peer& parent) {
    const End end(parent, way.wakeup, thread);
    std::vector<char> in(kPayload);
    char out = 1;
    for (int i = 0; i < kPayloads; ++i) {
      way.wait(*end.worker, end.endpoint->tagRecv(in.data(), in.size(), kThere));
      way.wait(*end.worker, end.endpoint->tagSend(&out, 1, kBack));
    }
    (void)parent.hear();
  });
  const End end(peer, way.wakeup, thread);
  const std::vector<char> out(kPayload, 1);
  std::vector<double> times;
  char in = 0;
  for (int i = 0; i < kPayloads; ++i) {
    const auto start = figures::Clock::now();
    const auto answer = end.endpoint->tagRecv(&in, 1, kBack);
    way.wait(*end.worker, end.endpoint->tagSend(out.data(), out.size(), kThere));
    way.wait(*end.worker, answer);
    times.push_back(figures::nanosecondsSince(start));
  }
  peer.tell(0);
  return times;
}

/// Half a round trip of 8 B, once, in nanoseconds.
std::vector<double> smallMessages(ucxx::ProgressMode mode) {
  const ucxx::ProgressOptions thread{.mode = mode};
  const figures::Peer peer([&](figures::Peer& parent) {
    const End end(parent, true, &thread);
    std::uint64_t word = 0;
    for (int i = 0; i < kRoundTrips; ++i) {
      byRequest(*end.worker, end.endpoint->tagRecv(&word, sizeof word, kThere));
      byRequest(*end.worker, end.endpoint->tagSend(&word, sizeof word, kBack));
    }
    (void)parent.hear();
  });
  const End end(peer, true, &thread);
  std::uint64_t word = 0;
  const auto start = figures::Clock::now();
  for (int i = 0; i < kRoundTrips; ++i) {
    byRequest(*end.worker, end.endpoint->tagSend(&word, sizeof word, kThere));
    byRequest(*end.worker, end.endpoint->tagRecv(&word, sizeof word, kBack));
  }
  peer.tell(0);
  return {figures::nanosecondsSince(start) / kRoundTrips / 2};
}

/// The two modes in turn, beside programs that keep all processors busy.
nlohmann::json threads() {
  const Busy busy(static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
  std::vector<double> adaptive, blocking, ratios;
  for (int i = 0; i < kRepetitions; ++i) {
    for (const auto mode : {ucxx::ProgressMode::Blocking, ucxx::ProgressMode::Adaptive}) {
      const double time = inProcess([&] { return smallMessages(mode); }).front();
      (mode == ucxx::ProgressMode::Blocking ? blocking : adaptive).push_back(time / 1e3);
    }
    ratios.push_back(adaptive.back() / blocking.back());
  }
  return {{"adaptive_us", figures::middleOf(adaptive)},
          {"blocking_us", figures::middleOf(blocking)},
          {"ratio", figures::middleOf(ratios)}};
}

nlohmann::json onOneCore() {
  nlohmann::json seconds;
  const auto measure = [&](const char* company) {
    for (const Way& way : kWays) {
      std::vector<double> times = inProcess([&] { return payloads(way); });
      for (double& time : times) time /= 1e9;
      seconds[way.name][company] = figures::middleOf(times);
    }
  };
  measure("alone");
  const Busy busy(kBusyProcesses);
  measure("busy");
  return seconds;
}

nlohmann::json figure() {
  nlohmann::json said{{"threads", threads()}};
  said["payload_s"] = onOneCore();
  return said;
}

}  // namespace

int main() { return figures::print(figure); }
