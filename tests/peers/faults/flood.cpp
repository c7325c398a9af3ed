// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/faults/asked.h"
#include "peers/faults/row.h"

namespace ucxx::faults {
namespace {

using nlohmann::json;

/// A peer may send 64 MiB that nobody receives (WorkerOptions::unexpected_bytes), their records
/// counted, have as much fetched of what it announces, and announce 65,536 messages more. The rest
/// are the buffers of the posted receives.
std::ptrdiff_t mostKib(std::size_t size) {
  return ((64 + 64 + 16 + 8) << 10) + static_cast<std::ptrdiff_t>(kPosted * size >> 10);
}

struct Flood {
  std::size_t count, size, held_at;
  std::ptrdiff_t peak_kib;
  std::size_t wrong;
  bool isOk() const { return wrong == 0 && held_at < count && peak_kib <= mostKib(size); }
  std::string text(const char* channel) const {
    return fmt::format("{}: {} of {} B, held back after {}, receiver at most {:+.1f} MiB, {} wrong",
                       channel, count, size, held_at, static_cast<double>(peak_kib) / 1024, wrong);
  }
  json asJson() const {
    return {{"count", count}, {"size", size}, {"held_at", held_at}, {"peak_kib", peak_kib}};
  }
};

Flood floodOf(std::size_t count, std::size_t size, const Environment& environment) {
  Party sink("sink", environment), sender("sender", environment);
  const auto port = sink.hear(kPatience).at("port").get<std::uint16_t>();
  const Held before = heldBy(sink);
  sender.tell({{"do", "flood"}, {"port", port}, {"count", count}, {"size", size}});
  // It is held back, or has sent all: then there was no limit.
  const json word = sender.hear(kPatience);
  const bool is_held = word.contains("held");
  Flood flood{count, size, word.at(is_held ? "held" : "sent"), 0, 0};
  flood.wrong = ask(sink, {{"do", "drain"}, {"count", count}, {"size", size}}).at("wrong");
  flood.peak_kib = heldBy(sink).peak_kib - before.resident_kib;
  if (is_held) (void)sender.hear(kPatience);
  sender.finish();
  sink.finish();
  return flood;
}

}  // namespace

Outcome runFlood(const Scale& scale) {
  struct Case {
    const char* channel;
    const Environment& environment;
    std::size_t count, size;
  };
  const Case cases[] = {{"local", kLocal, scale.of(10'000'000, 1'000'000), 8},
                        {"UCX, TCP", kTcp, scale.of(10'000'000, 1'000'000), 8},
                        {"local", kLocal, scale.of(70'000, 1000), 300'000},
                        {"UCX, TCP", kTcp, scale.of(2'000, 500), 300'000}};
  bool is_ok = true;
  std::string text;
  json figures = json::array();
  for (const Case& one : cases) {
    const Flood flood = floodOf(one.count, one.size, one.environment);
    is_ok = is_ok && flood.isOk();
    text += (text.empty() ? "" : "\n            ") + flood.text(one.channel);
    figures.push_back(flood.asJson());
  }
  return judged(is_ok, text, figures);
}

}  // namespace ucxx::faults
