// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <atomic>
#include <cstdio>
#include <string>

#include "cuda/driver/blocks.h"
#include "cuda/driver/events.h"
#include "cuda/driver/graph.h"
#include "cuda/driver/graphs.h"
#include "cuda/driver/streams.h"

namespace stand_in {
namespace {

std::atomic<std::size_t> rounds_without_context{0};  // of UCX

void add(std::string& text, std::size_t count, const char* what) {
  if (count != 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
}

/// At the end of the process. What is registered may stay.
[[gnu::destructor]] void tellWhatIsLeft() {
  const Left blocks = leftBlocks();
  std::string text;
  add(text, blocks.blocks, "blocks left");
  add(text, leftStreams(), "streams left");
  add(text, leftEvents(), "events left");
  add(text, leftGraphs(), "graphs left");
  add(text, leftExecs(), "executable graphs left");
  add(text, blocks.wrong_frees, "wrong frees");
  add(text, rounds_without_context, "rounds of UCX without context");
  if (!text.empty()) std::fprintf(stderr, "CUDA stand-in: %s\n", text.c_str());
}

}  // namespace

void countRoundWithoutContext() noexcept { ++rounds_without_context; }

}  // namespace stand_in
