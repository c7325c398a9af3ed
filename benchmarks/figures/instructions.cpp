// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a message of 8 B between two workers of one process costs, both ends and the progress in
// between, for each kind of transfer; and a round of the loop in which nothing happens, with no
// condition and with eight armed ones: in instructions, and in nanoseconds. Also compiles where
// there are no conditions, so that a state from before them can be measured by the same program.

#include <array>
#include <string_view>

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

/// Two workers of this process, and the two ends of a pair between them.
class Pair {
 public:
  Pair() {
    figures::Acceptor acceptor(*two_);
    here_ = one_->createEndpointFromHostname("127.0.0.1", acceptor.port());
    figures::progressUntil(*two_, "the caller", [&] {
      one_->progress();
      if (auto accepted = acceptor.take(); !accepted.empty()) there_ = std::move(accepted.front());
      return there_ != nullptr && here_->hasConnected();
    });
    const auto flushed = here_->flush();
    figures::progressUntil(*one_, "the other worker", [&] {
      two_->progress();
      return flushed->isCompleted();
    });
  }

  void tag() {
    const auto received = two_->tagRecv(in_, sizeof in_, kTag, ucxx::TagMaskFull);
    finish(here_->tagSend(out_, sizeof out_, kTag), received);
  }
  void tagThatWaits() {
    const auto sent = here_->tagSend(out_, sizeof out_, kTag);
    finish(*one_, *sent);
    two_->progress();
    finish(*two_, *two_->tagRecv(in_, sizeof in_, kTag, ucxx::TagMaskFull));
  }
  void tagWithCallbacks() {
    const auto received =
        two_->tagRecv(in_, sizeof in_, kTag, ucxx::TagMaskFull, false, ends_, nullptr);
    finish(here_->tagSend(out_, sizeof out_, kTag, false, ends_, nullptr), received);
  }
  void activeMessage() {
    const auto received = there_->amRecv();
    finish(here_->amSend(out_, sizeof out_, UCS_MEMORY_TYPE_HOST), received);
  }
  void stream() {
    const auto received = there_->streamRecv(in_, sizeof in_);
    finish(here_->streamSend(out_, sizeof out_), received);
  }
  void twoBuffers() {
    const auto received = there_->tagMultiRecv(kTag, ucxx::TagMaskFull);
    finish(here_->tagMultiSend(buffers_, sizes_, on_device_, kTag), received);
  }
  void idle() { one_->progress(); }
  /// Its owner keeps them.
  void arm() {
#ifdef UCXX_HAS_CONDITIONS
    for (auto& condition : conditions_) {
      condition = ucxx::Condition::host();
      armed_.push_back(here_->tagSendBuilder(out_, sizeof out_, kTag).condition(condition).build());
    }
#endif
  }

 private:
  static void finish(ucxx::Worker& worker, const ucxx::Request& request) {
    while (!request.isCompleted()) worker.progress();
    request.checkError();
  }
  void finish(const std::shared_ptr<ucxx::Request>& sent,
              const std::shared_ptr<ucxx::Request>& received) {
    finish(*two_, *received);
    finish(*one_, *sent);
  }

  const std::shared_ptr<ucxx::Context> context_ = figures::makeContext();
  const std::shared_ptr<ucxx::Worker> one_ = context_->createWorker(),
                                      two_ = context_->createWorker();
  std::shared_ptr<ucxx::Endpoint> here_, there_;
  char out_[8] = {1}, in_[8] = {};
  const ucxx::RequestCallbackUserFunction ends_ = [](ucs_status_t, std::shared_ptr<void>) {};
  const std::vector<const void*> buffers_{out_, out_ + 4};
  const std::vector<std::size_t> sizes_{4, 4};
  const std::vector<int> on_device_{0, 0};
#ifdef UCXX_HAS_CONDITIONS
  ucxx::Condition conditions_[kConditions];
#endif
  std::vector<std::shared_ptr<ucxx::Request>> armed_;
};

struct Kind {
  const char* name;
  void (Pair::*step)();
};
constexpr std::array kKinds{
    Kind{"message", &Pair::tag},
    Kind{"message that waits for its receive", &Pair::tagThatWaits},
    Kind{"callback", &Pair::tagWithCallbacks},
    Kind{"active message", &Pair::activeMessage},
    Kind{"stream", &Pair::stream},
    Kind{"two buffers", &Pair::twoBuffers},
};

/// Nanoseconds that the child has measured.
struct Times {
  double idle[kRepetitions], armed[kRepetitions], kinds[kKinds.size()][kRepetitions];
};

template <class Step>
double timeOf(int count, Step step) {
  const auto begin = figures::Clock::now();
  for (int i = 0; i < count; ++i) step();
  return figures::nanosecondsSince(begin) / count;
}

#ifdef __x86_64__

void time(Times& times, Pair& pair, Pair& armed) {
  for (int i = 0; i < kRepetitions; ++i) {
    times.idle[i] = timeOf(kRounds, [&] { pair.idle(); });
    times.armed[i] = timeOf(kRounds, [&] { armed.idle(); });
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
      times.kinds[kind][i] = timeOf(kMessages, [&] { (pair.*kKinds[kind].step)(); });
  }
}

void count(Pair& pair, Pair& armed) {
  figures::countSteps("nothing", kTimes, [] {});
  for (int i = 0; i < kRounds; ++i) pair.idle();
  figures::countSteps("idle", kTimes, [&] { pair.idle(); });
  for (int i = 0; i < kRounds; ++i) armed.idle();
  figures::countSteps("armed", kTimes, [&] { armed.idle(); });
  for (const Kind& kind : kKinds) {
    for (int i = 0; i < kWarm; ++i) (pair.*kind.step)();
    figures::countSteps(kind.name, kTimes, [&] { (pair.*kind.step)(); });
  }
}

void measure(Times& times, bool is_timed) {
  Pair pair, armed;
  for (int i = 0; i < kWarm; ++i) armed.tag();
  armed.arm();
  if (is_timed) time(times, pair, armed);
  count(pair, armed);
}

nlohmann::json figure(bool is_timed) {
  void* memory =
      ::mmap(nullptr, sizeof(Times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  auto& times = *new (memory) Times{};
  // Each step wakes the parent, and then the child: on another processor, which a virtual machine
  // may have to start, it takes four times as long.
  figures::pinTo(0);
  const auto counts = figures::Stepper().run([&] { measure(times, is_timed); });
  const double mark = figures::middleOf(counts.at("nothing"))["median"];
  const auto of = [&](const char* name, const double* measured) {
    auto count = figures::middleOf(counts.at(name));
    for (auto& value : count) value = value.get<double>() - mark;
    nlohmann::json both{{"instructions", count}};
    if (is_timed) both["ns"] = figures::middleOf({measured, measured + kRepetitions});
    return both;
  };
  nlohmann::json result{{"idle", of("idle", times.idle)}};
#ifdef UCXX_HAS_CONDITIONS
  result["armed"] = of("armed", times.armed);
#endif
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    result[kKinds[kind].name] = of(kKinds[kind].name, times.kinds[kind]);
  return result;
}

#else

nlohmann::json figure(bool) { throw std::runtime_error("only for x86-64"); }

#endif

}  // namespace

/// With `--count` nothing is timed.
int main(int count, char** arguments) {
  const bool is_timed = count < 2 || std::string_view(arguments[1]) != "--count";
  return figures::print([=] { return figure(is_timed); });
}
