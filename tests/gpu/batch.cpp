// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Several memory operations in one call: how many, and whether they run in the order of the array.

#include <string>

#include "gpu/groups.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/responder.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr std::uint64_t kBatches = 2000;

void tellCounts(const Words& words, Stream stream) {
  for (const std::size_t count : {0u, 1u, 255u, 256u, 257u, 1000u}) {
    Operations operations;
    for (std::size_t index = 0; index < count; ++index)
      operations.push_back(write(words, 0, index));
    answer("batch of " + std::to_string(count), enqueue(stream, operations));
    drains("a batch", stream);
  }
}

void tellKinds(const Words& words, Stream stream) {
  answer("batch with a barrier", enqueue(stream, {write(words, 0, 1), {.operation = kBarrier}}));
  drains("a batch with a barrier", stream);
  answer("batch with a flush", enqueue(stream, {write(words, 0, 1), {.operation = kFlush}}));
  drains("a batch with a flush", stream);
  answer("batch of 32 and 64 bits",
         enqueue(stream, {write(words, 0, 1),
                          {.operation = kWrite32, .address = words.at(1), .value = 1}}));
  drains("a batch of 32 and 64 bits", stream);
}

/// Write a, wait for b, write c: c may not be there before the answer in b, nor a after it.
void tellBatchOrder(const Words& words, Stream stream) {
  std::uint64_t late = 0, early = 0, answered = 0;
  const Responder responder([&] {
    const std::uint64_t a = words[1].load(std::memory_order_acquire);
    if (a == answered) return;
    late += a != answered + 1;
    const double until = microseconds() + 3;  // an order that is wrong shows in this time
    while (microseconds() < until) early += words[3].load(std::memory_order_acquire) >= a;
    words[2].store(answered = a, std::memory_order_release);
  });
  for (std::uint64_t k = 1; k <= kBatches; ++k) {
    must("cuStreamBatchMemOp",
         enqueue(stream, {write(words, 1, k), wait(words, 2, k), write(words, 3, k)}));
    if (!expect("order in a batch", eventually([&] { return words[3] == k; }), "it hangs")) return;
  }
  fact("order in a batch: rounds", kBatches);
  expect("order in a batch: the write before the wait", late == 0, "one was skipped");
  expect("order in a batch: the write after the wait", early == 0, "it came before the answer");
}

}  // namespace

void tellBatch() {
  useDevice();
  const Words words;
  const Stream stream = makeStream();
  tellCounts(words, stream);
  tellKinds(words, stream);
  tellBatchOrder(words, stream);
}

}  // namespace gpu
