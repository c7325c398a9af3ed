// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The processor time of two workers, one of which has a send that a stream is to start, and does
// not. Beside the same without it.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <ucxx/cuda/stream.h>

#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "rig.h"

namespace gpu::bench {
namespace {

constexpr ucxx::Tag kTag{1};
constexpr std::chrono::seconds kLimit{40};
constexpr double kMostPercent = 2;

std::chrono::milliseconds windowOf() { return std::chrono::milliseconds(isQuick() ? 100 : 1000); }

/// A stream that waits for a word, then starts a send, and awaits it.
class Waiting {
 public:
  Waiting(const Crew& crew, bool is_armed) : crew_(crew) {
    must("cuStreamWaitValue64", driver().waitValue64(stream_, gate_.at(0), 1, kGreaterOrEqual));
    if (!is_armed) return;
    received_ = crew.endpoint(1, 0)->tagRecv(in_, sizeof(Word), kTag);
    sent_ = crew.endpoint(0, 1)
                ->tagSendBuilder(out_, sizeof(Word), kTag)
                .condition(ucxx::Condition::stream(stream_))
                .build();
    sent_->waitOn(stream_);
  }
  ~Waiting() {
    gate_[0] = 1;
    if (sent_ != nullptr) crew_.finish(received_);
    drains("the stream that waits", stream_);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  bool isArmed() const { return sent_ != nullptr && !sent_->isCompleted(); }

 private:
  const Crew& crew_;
  const Words gate_;
  const OwnStream stream_;
  Word* const out_ = pinnedWords(1);
  Word* const in_ = pinnedWords(1);
  std::shared_ptr<ucxx::Request> received_, sent_;
};

struct Percent {
  double process, threads;  // of one processor; the progress threads
};

Percent measure(const Crew& crew, bool is_armed) {
  const Waiting waiting(crew, is_armed);
  std::this_thread::sleep_for(windowOf() / 5);  // whoever has spun is asleep
  const double begin = microseconds(), process = secondsOf(CLOCK_PROCESS_CPUTIME_ID),
               threads = crew.threadSeconds();
  std::this_thread::sleep_for(windowOf());
  const double scale = 1e8 / (microseconds() - begin);
  const Percent percent{(secondsOf(CLOCK_PROCESS_CPUTIME_ID) - process) * scale,
                        (crew.threadSeconds() - threads) * scale};
  if (is_armed) expect("idle", waiting.isArmed(), "the send has started before its stream");
  return percent;
}

void tellMode(const std::string& name, ucxx::ProgressMode mode) {
  const Crew crew(2, mode);
  std::vector<double> process, threads, threads_before;
  for (int round = 0; round < (isQuick() ? 1 : 5); ++round) {
    threads_before.push_back(measure(crew, false).threads);
    const Percent armed = measure(crew, true);
    process.push_back(armed.process);
    threads.push_back(armed.threads);
  }
  fact(name,
       {{"process", spreadOf(process)},
        {"threads", spreadOf(threads)},
        {"threads_with_nothing_armed", spreadOf(threads_before)},
        {"at_most", kMostPercent}},
       "percent");
}

}  // namespace

void benchIdle() {
  useDevice();
  ucxx::cuda::attach();
  const auto tell = [](const std::string& name, ucxx::ProgressMode mode) {
    step(
        name, [&] { tellMode(name, mode); }, kLimit);
  };
  tell("idle, adaptive", ucxx::ProgressMode::Adaptive);
  tell("idle, blocking", ucxx::ProgressMode::Blocking);
}

}  // namespace gpu::bench
