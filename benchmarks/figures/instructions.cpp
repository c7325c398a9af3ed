// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a round of the loop costs in which nothing happens, with no condition and with eight armed
// ones, and a tag message of 8 B between two workers of one process: in instructions, and in
// nanoseconds. Also compiles where there are no conditions, so that a state from before them can be
// measured by the same program.

#include <sys/mman.h>

#include "figures.h"
#include "steps.h"

#if __has_include(<ucxx/condition.h>)
#define UCXX_HAS_CONDITIONS
#endif

namespace {

constexpr int kTimes = 200;        // counted
constexpr int kRounds = 200'000;   // timed
constexpr int kMessages = 50'000;  // timed
constexpr int kRepetitions = 15;
constexpr int kWarm = 20'000;
constexpr int kConditions = 8;
constexpr ucxx::Tag kTag{7};

/// Nanoseconds that the child has measured.
struct Times {
  double idle[kRepetitions], armed[kRepetitions], message[kRepetitions];
};

class Pair {
 public:
  Pair() {
    const auto connected = endpoint_->flush();
    figures::progressUntil(*one_, "the other worker", [&] {
      two_->progress();
      return connected->isCompleted();
    });
  }
  void message() {
    const auto received = two_->tagRecv(in_, sizeof in_, kTag, ucxx::TagMaskFull);
    const auto sent = endpoint_->tagSend(out_, sizeof out_, kTag);
    while (!sent->isCompleted()) one_->progress();
    sent->checkError();
    while (!received->isCompleted()) two_->progress();
    received->checkError();
  }
  void idle() { one_->progress(); }
  /// Its owner keeps them.
  void arm() {
#ifdef UCXX_HAS_CONDITIONS
    for (auto& condition : conditions_) {
      condition = ucxx::Condition::host();
      armed_.push_back(
          endpoint_->tagSendBuilder(out_, sizeof out_, kTag).condition(condition).build());
    }
#endif
  }

 private:
  const std::shared_ptr<ucxx::Context> context_ = figures::makeContext();
  const std::shared_ptr<ucxx::Worker> one_ = context_->createWorker(),
                                      two_ = context_->createWorker();
  const std::shared_ptr<ucxx::Endpoint> endpoint_ =
      one_->createEndpointFromWorkerAddress(two_->getAddress());
  char out_[8] = {1}, in_[8] = {};
#ifdef UCXX_HAS_CONDITIONS
  ucxx::Condition conditions_[kConditions];
#endif
  std::vector<std::shared_ptr<ucxx::Request>> armed_;
};

template <class Step>
double timeOf(int count, Step step) {
  const auto begin = figures::Clock::now();
  for (int i = 0; i < count; ++i) step();
  return figures::nanosecondsSince(begin) / count;
}

#ifdef __x86_64__

void measure(Times& times) {
  figures::pinTo(0);
  Pair pair, armed;
  for (int i = 0; i < kWarm; ++i) {
    pair.message();
    armed.message();
  }
  armed.arm();
  for (int i = 0; i < kRepetitions; ++i) {
    times.idle[i] = timeOf(kRounds, [&] { pair.idle(); });
    times.armed[i] = timeOf(kRounds, [&] { armed.idle(); });
    times.message[i] = timeOf(kMessages, [&] { pair.message(); });
  }
  figures::countSteps("nothing", kTimes, [] {});
  for (int i = 0; i < kRounds; ++i) pair.idle();
  figures::countSteps("idle", kTimes, [&] { pair.idle(); });
  for (int i = 0; i < kRounds; ++i) armed.idle();
  figures::countSteps("armed", kTimes, [&] { armed.idle(); });
  for (int i = 0; i < kWarm; ++i) pair.message();
  figures::countSteps("message", kTimes, [&] { pair.message(); });
}

nlohmann::json figure() {
  void* memory =
      ::mmap(nullptr, sizeof(Times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  auto& times = *new (memory) Times{};
  const auto counts = figures::Stepper().run([&] { measure(times); });
  const auto of = [&](const char* name, const double* measured) {
    auto count = figures::middleOf(counts.at(name));
    const double mark = figures::middleOf(counts.at("nothing"))["median"];
    for (auto& value : count) value = value.get<double>() - mark;
    return nlohmann::json{{"instructions", count},
                          {"ns", figures::middleOf({measured, measured + kRepetitions})}};
  };
  nlohmann::json result{{"idle", of("idle", times.idle)},
                        {"message", of("message", times.message)}};
#ifdef UCXX_HAS_CONDITIONS
  result["armed"] = of("armed", times.armed);
#endif
  return result;
}

#else

nlohmann::json figure() { throw std::runtime_error("only for x86-64"); }

#endif

}  // namespace

int main() { return figures::print(figure); }
