// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "plans.h"

#include <ucxx/cuda/stream.h>

#include "gpu/report.h"

namespace gpu::bench {

Plans::Plans(const Crew& crew, const Table& table) : crew_(crew) {
  for (std::size_t number = 0; number < ends_.size(); ++number) {
    const Side& side = table[number];
    ends_[number] = {side.endpoint->prepareSend(side.out, side.bytes(), side.tag_out),
                     side.endpoint->prepareRecv(side.in, side.bytes(), side.tag_in)};
  }
}

Plans::~Plans() {
  try {
    for (const Ends& ends : ends_)
      for (const auto& closes : {ends.send->close(), ends.receive->close()}) crew_.finish(closes);
  } catch (const std::exception& failure) {
    error("close of plans", failure.what());
  }
}

void Plans::play(const Side& side, Word iterations) const {
  const auto& [send, receive] = ends_[side.is_first ? 0 : 1];
  if (!side.is_first) {
    receive->startOn(side.stream);
    receive->waitOn(side.stream);
  }
  for (Word i = 1; i <= iterations; ++i) {
    side.step(i);
    ucxx::cuda::StreamBatch batch(side.stream);
    // The kernel has read what came. The answer to a send proves that its buffer may be filled.
    const bool awaits = side.awaitsAfter(i, iterations);
    if (awaits) receive->startOn(side.stream);
    send->startOn(side.stream);
    if (awaits) receive->waitOn(side.stream);
    batch.submit();
  }
  side.checkLast(iterations);
  side.synchronize();
  send->checkError();
  receive->checkError();
}

}  // namespace gpu::bench
