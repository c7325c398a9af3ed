// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the driver takes for what UCXX asks it in a post, in nanoseconds: beside others, while both
// threads of a ping-pong ask, and alone.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "benches.h"
#include "comparison.h"
#include "rig.h"

namespace gpu::bench {
namespace {

using Question = std::function<void()>;

std::map<std::string, Question> questionsOf(Stream stream, const Word* word) {
  return {
      {"cuStreamGetId",
       [stream] {
         unsigned long long id = 0;
         must("cuStreamGetId", driver().streamId(stream, &id));
       }},
      {"cuStreamIsCapturing",
       [stream] {
         int state = 0;
         must("cuStreamIsCapturing", driver().isCapturing(stream, &state));
       }},
      {"cuCtxGetCurrent",
       [] {
         Context context = nullptr;
         must("cuCtxGetCurrent", driver().getContext(&context));
       }},
      {"cuPointerGetAttributes",
       [word] {
         unsigned type = 0;
         int asked = kMemoryType;
         void* place = &type;
         must("cuPointerGetAttributes",
              driver().pointerAttributes(1, &asked, &place, reinterpret_cast<Address>(word)));
       }},
  };
}

/// Nanoseconds a call, of the first of so many threads.
double priceOf(const char* name, int threads) {
  const int calls = isQuick() ? 20 : 2000;
  Word* const word = pinnedWords(1);
  std::vector<double> times(static_cast<std::size_t>(threads));
  std::vector<std::function<void()>> bodies;
  for (double& time : times)
    bodies.emplace_back([&] {
      const OwnStream stream;
      const Question ask = questionsOf(stream, word).at(name);
      time = timed([&] {
        for (int i = 0; i < calls; ++i) ask();
      });
    });
  together(bodies);
  return times.front() * 1000 / calls;
}

}  // namespace

void tellQuestions() {
  nlohmann::json row;
  for (const auto& [name, ask] : questionsOf(nullptr, nullptr)) {
    for (const int threads : {1, 2, 4}) {
      std::vector<double> samples;
      for (int round = 0; round < repetitions(); ++round)
        samples.push_back(priceOf(name.c_str(), threads));
      row[name][std::to_string(threads)] = spreadOf(samples);
    }
  }
  fact("questions of a post, by threads that ask", row, "ns");
}

}  // namespace gpu::bench
