// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <string>

#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "models.h"
#include "plans.h"
#include "table.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kSizes[] = {8, 64, 1024, 4096, 65536};
constexpr std::chrono::seconds kLimit{30};

Word iterationsOf() { return isQuick() ? 20 : 1000; }

void tellSize(const Crew& moved, const Crew& own, std::size_t bytes) {
  const std::string name = "ping_pong of " + std::to_string(bytes) + " B";
  const Table table(moved, bytes), synchronous(own, bytes);
  const Word count = iterationsOf();
  const Plans plans(moved, table);
  Comparison ways;
  ways.add("stream", [&] {
    return table.play(name, count, [](const Side& side, Word n) { playInStream(side, n, false); });
  });
  ways.add("batch", [&] {
    return table.play(name, count, [](const Side& side, Word n) { playInStream(side, n, true); });
  });
  ways.add("prepared", [&] {
    return table.play(name, count, [&](const Side& side, Word n) { plans.play(side, n); });
  });
  ways.add("synchronous", [&] { return synchronous.play(name, count, playSynchronously); });
  ways.add("bare_thread", [&] { return playWithBareThread(table, name, count); });
  ways.add("host_function", [&] { return playWithHostFunctions(table, name, count); });
  ways.run(repetitions());
  auto row = ways.spreads();
  for (const char* way : {"stream", "batch", "prepared"}) {
    row[std::string(way) + "_less_than_synchronous"] = ways.less(way, "synchronous");
    row[std::string(way) + "_to_bare_thread"] = ways.ratio(way, "bare_thread");
    row[std::string(way) + "_to_host_function"] = ways.ratio(way, "host_function");
  }
  row["model"] = foretold({{"batch", row["stream"]["median"].get<double>() + model::kBatchMore}});
  fact(name, row, "us");
}

}  // namespace

void benchPingPong() {
  warmUp();
  const Crew moved(2, ucxx::ProgressMode::Polling), own(2, {});
  fact("iterations", iterationsOf());
  for (const std::size_t bytes : kSizes)
    step(
        "ping_pong of " + std::to_string(bytes) + " B", [&] { tellSize(moved, own, bytes); },
        kLimit);
}

}  // namespace gpu::bench
