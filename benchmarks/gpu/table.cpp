// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "table.h"

#include <ucxx/cuda/stream.h>

namespace gpu::bench {
namespace {

/// Calls, and adds the time of the call where somebody asks for it.
template <class Call>
void during(double* sum, const Call& call) {
  if (sum == nullptr) return call();
  *sum += timed(call);
}

double* partOf(Busy* busy, double Busy::*part) {
  return busy == nullptr ? nullptr : &(busy->*part);
}

void receiveInStream(const Side& side, Busy* busy) {
  std::shared_ptr<ucxx::Request> request;
  during(partOf(busy, &Busy::receiving), [&] { request = side.receive(); });
  during(partOf(busy, &Busy::awaiting), [&] { request->waitOn(side.stream); });
}

/// After the kernel of iteration i. The answer to a send proves that it has ended.
void exchange(const Side& side, Word i, Word iterations, Busy* busy) {
  during(partOf(busy, &Busy::sending), [&] { side.send(ucxx::Condition::stream(side.stream)); });
  if (side.awaitsAfter(i, iterations)) receiveInStream(side, busy);
}

void exchangeInBatch(const Side& side, Word i, Word iterations, Busy* busy) {
  ucxx::cuda::StreamBatch batch(side.stream);
  exchange(side, i, iterations, busy);
  during(partOf(busy, &Busy::submitting), [&] { batch.submit(); });
}

}  // namespace

Side::Side(const Crew& crew, int number, std::size_t count, const WrongWords& wrong_words)
    : is_first(number == 0),
      words(count),
      in(pinnedWords(count)),
      out(pinnedWords(count)),
      wrong(wrong_words.place()),
      worker(crew.worker(number)),
      endpoint(crew.endpoint(number, 1 - number)),
      tag_out{number == 0 ? 1u : 2u},
      tag_in{number == 0 ? 2u : 1u} {}

void Side::step(Word expected, Word value) const {
  run("bench_step", stream, gridOf(words), in, expected, out, value, Word{words}, wrong);
}

std::shared_ptr<ucxx::Request> Side::receive(const ucxx::RequestCallbackUserFunction& ended) const {
  return endpoint->tagRecvBuilder(in, bytes(), tag_in).callbackFunction(ended).build();
}

std::shared_ptr<ucxx::Request> Side::send(const ucxx::Condition& condition) const {
  return endpoint->tagSendBuilder(out, bytes(), tag_out).condition(condition).build();
}

Table::Table(const Crew& crew, std::size_t bytes)
    : sides_{Side(crew, 0, bytes / sizeof(Word), wrong_),
             Side(crew, 1, bytes / sizeof(Word), wrong_)} {}

void playInStream(const Side& side, Word iterations, bool batches, Busy* busy) {
  const double before = secondsOf(CLOCK_THREAD_CPUTIME_ID);
  double* const launching = partOf(busy, &Busy::launching);
  if (!side.is_first) receiveInStream(side, busy);
  for (Word i = 1; i <= iterations; ++i) {
    during(launching, [&] { side.step(i); });
    if (batches)
      exchangeInBatch(side, i, iterations, busy);
    else
      exchange(side, i, iterations, busy);
  }
  during(launching, [&] { side.checkLast(iterations); });
  if (busy != nullptr) busy->processor = (secondsOf(CLOCK_THREAD_CPUTIME_ID) - before) * 1e6;
}

}  // namespace gpu::bench
