// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A post from another thread to a polling loop, beside a call on the loop's own thread: until the
// call returns, and until the poster sees the request completed. The self channel, so that nothing
// else takes time.

#include <thread>

#include <sched.h>

#include "figures.h"

namespace {

constexpr ucxx::Tag kTag{1};
constexpr int kTimes = 100000;
constexpr int kRepetitions = 7;

struct Cost {
  double call_ns, completed_ns;
};

/// One 8 B send that finds no receive; then the receive, which is not counted.
template <class Wait>
Cost costOfSend(ucxx::Endpoint& endpoint, Wait wait) {
  std::uint64_t out = 1, in = 0;
  std::vector<double> calls, ends;
  calls.reserve(kTimes);
  ends.reserve(kTimes);
  for (int i = 0; i < kTimes; ++i) {
    const auto start = figures::Clock::now();
    const auto sent = endpoint.tagSend(&out, sizeof out, kTag);
    const auto called = figures::Clock::now();
    wait(*sent);
    const auto ended = figures::Clock::now();
    calls.push_back(std::chrono::duration<double, std::nano>(called - start).count());
    ends.push_back(std::chrono::duration<double, std::nano>(ended - start).count());
    wait(*endpoint.tagRecv(&in, sizeof in, kTag));
  }
  return {figures::middleOf(calls)["median"], figures::middleOf(ends)["median"]};
}

void pinTo(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

nlohmann::json figure() {
  const auto worker = figures::makeContext()->createWorker();
  const auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  const bool two_cores = std::thread::hardware_concurrency() > 1;
  if (two_cores) pinTo(1);
  worker->setProgressThreadStartCallback(
      [&](void*) {
        if (two_cores) pinTo(0);
      },
      nullptr);

  std::vector<double> direct_call, direct, post_call, post, difference;
  for (int i = 0; i < kRepetitions; ++i) {
    const Cost own = costOfSend(*endpoint, [&](const ucxx::Request& request) {
      while (!request.isCompleted()) worker->progress();
    });
    worker->startProgressThread(ucxx::ProgressOptions{.mode = ucxx::ProgressMode::Polling});
    const Cost other = costOfSend(*endpoint, [](const ucxx::Request& request) {
      while (!request.isCompleted()) {
      }
    });
    worker->stopProgressThread();
    direct_call.push_back(own.call_ns);
    direct.push_back(own.completed_ns);
    post_call.push_back(other.call_ns);
    post.push_back(other.completed_ns);
    difference.push_back(other.completed_ns - own.completed_ns);
  }
  return {{"direct_call_ns", figures::middleOf(direct_call)},
          {"direct_completed_ns", figures::middleOf(direct)},
          {"post_call_ns", figures::middleOf(post_call)},
          {"post_completed_ns", figures::middleOf(post)},
          {"difference_ns", figures::middleOf(difference)}};
}

}  // namespace

int main() { return figures::print(figure); }
