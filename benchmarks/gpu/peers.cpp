// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a program does without conditions, and what is the least that there can be.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>

#include "gpu/operations.h"
#include "gpu/responder.h"
#include "table.h"

namespace gpu::bench {
namespace {

/// Words by which the streams of a table and threads tell each other. Their numbers grow from one
/// play to the next.
class Signals {
 public:
  static Signals& only() {
    static Signals signals;
    return signals;
  }
  std::size_t out(const Side& side) const { return side.is_first ? 0 : 1; }
  std::size_t in(const Side& side) const { return side.is_first ? 2 : 3; }
  MemoryOperation tell(const Side& side, Word i) const { return write(words, out(side), base + i); }
  MemoryOperation await(const Side& side, Word i) const { return wait(words, in(side), base + i); }
  /// Of a play, in which each of the words gets to the same number.
  void begin() {
    for (std::size_t index = 0; index < kCount; ++index)
      base = std::max<Word>(base, words[index].load());
    for (std::size_t index = 0; index < kCount; ++index) words[index] = base;
  }

  static constexpr std::size_t kCount = 4;
  const Words words;
  Word base = 0;  // what iteration 1 is counted from
};

void awaitInStream(const Side& side, Word i) {
  must("cuStreamBatchMemOp", enqueue(side.stream, {Signals::only().await(side, i)}));
}

void awaitHere(const Side& side, const std::shared_ptr<ucxx::Request>& request) {
  for (; !request->isCompleted(); letOthersRun()) side.worker->progress();
  request->checkError();
}

/// The bytes of one direction.
class Carrier {
 public:
  Carrier(const Side& from, const Side& to) : from_(from), to_(to), seen_(Signals::only().base) {}
  void round() {
    const Words& words = Signals::only().words;
    const Word number = words[Signals::only().out(from_)].load(std::memory_order_acquire);
    if (number == seen_) return;
    std::memcpy(to_.in, from_.out, from_.bytes());
    seen_ = number;
    words[Signals::only().in(to_)].store(number, std::memory_order_release);
  }

 private:
  const Side& from_;
  const Side& to_;
  Word seen_;
};

void playWithWords(const Side& side, Word iterations) {
  const Signals& signals = Signals::only();
  if (!side.is_first) awaitInStream(side, 1);
  for (Word i = 1; i <= iterations; ++i) {
    side.step(i);
    Operations operations{signals.tell(side, i)};
    const Word next = side.is_first ? i : i + 1;
    if (side.awaitsAfter(i, iterations)) operations.push_back(signals.await(side, next));
    must("cuStreamBatchMemOp", enqueue(side.stream, operations));
  }
  side.checkLast(iterations);
}

/// The place of a side's send, for the driver's thread: it calls UCXX, which calls no CUDA then.
struct Trigger {
  const ucxx::Condition condition = ucxx::Condition::host({.repeat = true});
  std::atomic<bool> has_failed{false};
  static void pull(void* place) {
    auto* const trigger = static_cast<Trigger*>(place);
    try {
      trigger->condition.trigger();
    } catch (const std::exception&) {  // nothing may leave the driver's thread
      trigger->has_failed = true;
    }
  }
};

void receiveAhead(const Side& side, Word i) {
  const Signals& signals = Signals::only();
  std::atomic<std::uint64_t>& word = signals.words[signals.in(side)];
  side.receive([&word, number = signals.base + i](ucs_status_t, const std::shared_ptr<void>&) {
    word.store(number, std::memory_order_release);
  });
  awaitInStream(side, i);
}

void playWithTriggers(const Side& side, Word iterations) {
  Trigger trigger;
  const auto sends = side.send(trigger.condition);
  if (!side.is_first) receiveAhead(side, 1);
  for (Word i = 1; i <= iterations; ++i) {
    side.step(i);
    must("cuLaunchHostFunc", driver().launchHost(side.stream, &Trigger::pull, &trigger));
    if (side.awaitsAfter(i, iterations)) receiveAhead(side, side.is_first ? i : i + 1);
  }
  side.checkLast(iterations);
  side.synchronize();  // before the trigger goes
  expect("host functions", !trigger.has_failed, "a trigger has failed");
  expect("host functions", trigger.condition.wait(iterations, kPatience), "a send does not end");
  trigger.condition.close();
  expect("host functions", sends->wait(kPatience), "the sends do not end");
}

}  // namespace

void playSynchronously(const Side& side, Word iterations) {
  if (!side.is_first) awaitHere(side, side.receive());
  for (Word i = 1; i <= iterations; ++i) {
    side.step(i);
    side.synchronize();
    std::shared_ptr<ucxx::Request> answer;
    if (side.awaitsAfter(i, iterations)) answer = side.receive();
    awaitHere(side, side.send());
    if (answer != nullptr) awaitHere(side, answer);
  }
  side.checkLast(iterations);
}

double playWithBareThread(const Table& table, const std::string& name, Word iterations) {
  Signals::only().begin();
  Carrier there(table[0], table[1]), back(table[1], table[0]);
  const Responder responder([&] {
    there.round();
    back.round();
  });
  return table.play(name, iterations, playWithWords);
}

double playWithHostFunctions(const Table& table, const std::string& name, Word iterations) {
  Signals::only().begin();
  return table.play(name, iterations, playWithTriggers);
}

}  // namespace gpu::bench
