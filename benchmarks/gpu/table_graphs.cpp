// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "table_graphs.h"

#include <algorithm>

#include "gpu/report.h"

namespace gpu::bench {
namespace {

void receive(const Side& side, const ucxx::Condition& here) {
  side.endpoint->tagRecvBuilder(side.in, side.bytes(), side.tag_in).condition(here).build();
}

void clear(Word* number) {
  must("cuMemsetD8", driver().fill8(reinterpret_cast<Address>(number), 0, sizeof *number));
}

}  // namespace

TableGraphs::TableGraphs(const Table& table)
    : table_(table),
      numbers_{deviceWords(1), deviceWords(1)},
      graphs_{std::make_unique<Launchable>(graphOf(table[0], numbers_[0])),
              std::make_unique<Launchable>(graphOf(table[1], numbers_[1]))} {}

Graph TableGraphs::graphOf(const Side& side, Word* number) const {
  constexpr unsigned kThreads = 256;
  return captured(side.stream, [&](const ucxx::Condition& here) {
    if (!side.is_first) receive(side, here);
    run("bench_replay", side.stream, Grid{1, kThreads}, side.in, Word{side.is_first ? 1u : 0u},
        side.out, Word{side.words}, number, side.wrong);
    side.send(here);
    if (side.is_first) receive(side, here);
  });
}

double TableGraphs::play(const std::string& name, Word iterations, Busy* busy) const {
  for (Word* const number : numbers_) clear(number);
  must("cuCtxSynchronize", driver().synchronize());
  const double time = table_.play(name, iterations, [&](const Side& side, Word count) {
    const Launchable& graph = *graphs_[side.is_first ? 0 : 1];
    const double before = secondsOf(CLOCK_THREAD_CPUTIME_ID);
    const double launching = timed([&] {
      for (Word i = 0; i < count; ++i) graph.launch(side.stream);
    });
    if (busy == nullptr || !side.is_first) return;
    busy->launching = launching;
    busy->processor = (secondsOf(CLOCK_THREAD_CPUTIME_ID) - before) * 1e6;
  });
  const Side& first = table_[0];
  expect(
      name,
      std::all_of(first.in, first.in + first.words, [&](Word word) { return word == iterations; }),
      "what came last is not that of the last launch");
  return time;
}

}  // namespace gpu::bench
