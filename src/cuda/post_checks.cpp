// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/post_checks.h"

#include <iterator>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "core/loop/loop.h"
#include "core/loop/progress_thread.h"
#include "cuda/blocking_launches.h"
#include "cuda/driver_calls.h"

namespace ucxx::cuda {

void requireMover(const core::Loop& loop, bool caller_progresses, const char* what) {
  if (loop.thread.isRunning()) return;
  if (caller_progresses) return warnOfCallerThatLaunches(what);
  throw InvalidParamError(fmt::format(
      "{}: the worker has no progress thread, so nothing would move it while the caller "
      "waits for the device; start one (Worker::startProgressThread), or set "
      "caller_progresses and never wait for the device meanwhile",
      what));
}

void refuseManaged(const core::Operation& op) {
  const char* const what = toString(op.kind);
  refuseManaged(op.buffer, what);
  if (op.extra == nullptr) return;
  for (const void* const buffer : op.extra->buffers()) refuseManaged(buffer, what);
}

void refuseManaged(const void* buffer, const char* what) {
  unsigned type = 0, is_managed = 0;
  int asked[]{base::cuda::kMemoryType, base::cuda::kIsManaged};
  void* answers[]{&type, &is_managed};
  const auto address = reinterpret_cast<Address>(buffer);
  const Driver& driver = requireDriver(what);
  if (driver.pointerAttributes(std::size(asked), asked, answers, address) == base::cuda::kSuccess &&
      (is_managed & 0xff) != 0)
    throw InvalidParamError(
        fmt::format("{}: {} is managed memory of CUDA, which a transfer of a stream cannot use; "
                    "allocate it by cudaMallocHost, or by UCXX",
                    what, buffer));
}

}  // namespace ucxx::cuda
