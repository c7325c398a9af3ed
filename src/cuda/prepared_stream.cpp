// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Prepared transfers that streams and kernels take part in.

#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/prepared.h>
#include <ucxx/request.h>

#include "base/file_descriptor.h"
#include "core/loop.h"
#include "core/plan.h"
#include "cuda/graph_nodes.h"
#include "cuda/plan_memory.h"
#include "cuda/post_checks.h"
#include "cuda/stream.h"
#include "cuda/words.h"

namespace ucxx {

namespace {

/// Whether a stream that waits for a start that was posted waits for the end of its iteration: a
/// node in a capture ends with it in each launch. Any other that repeats does not.
bool endsWithIteration(const Request& start, CUstream_st* stream) {
  const core::Operation& op = start.operation();
  if (op.repeats && cuda::nodeOf(op))
    return !start.isCompleted() || cuda::Stream::of(stream, "waitOn").isCaptured();
  return !op.repeats && !start.isCompleted();
}

}  // namespace

std::shared_ptr<Request> Prepared::startOn(CUstream_st* stream) {
  return start(Condition::stream(stream));
}

void Prepared::waitOn(CUstream_st* stream, bool caller_progresses) {
  std::shared_ptr<Request> last;
  {
    const std::lock_guard lock(mutex_);
    last = posted_;
  }
  if (last == nullptr || !endsWithIteration(*last, stream))
    last = request();  // of what is in progress
  last->waitOn(stream, caller_progresses);
}

device::Prepared* Prepared::deviceHandle(bool caller_progresses) {
  constexpr const char* kWhat = "deviceHandle";
  base::requireNotForked();
  if (const core::PlanDevice* const device = plan_->device()) return device->handle;
  const cuda::Context context = cuda::attachCurrent(kWhat);
  cuda::requireMover(plan_->loop, caller_progresses, kWhat);
  cuda::refuseManaged(plan_->terms.buffer, kWhat);
  const bool sends = plan_->kind() == core::OperationKind::PreparedSend;
  auto made =
      cuda::makePlanDevice(context, partitions(), sends ? plan_->terms.contributors : 0, kWhat);
  bool is_in_time = true;
  plan_->loop.run([&] {  // which alone knows whether an iteration has begun
    if (plan_->device() == nullptr) is_in_time = plan_->letTakePart(std::move(made));
  });
  if (!is_in_time)
    throw InvalidParamError(
        fmt::format("{}: {}: iteration {} has begun; ask for it before the first one", kWhat,
                    describe(), iterations()));
  return plan_->device()->handle;
}

std::shared_ptr<Request> PreparedSend::readyOn(CUstream_st* stream, std::size_t first,
                                               std::size_t last) {
  return ready(Condition::stream(stream), first, last);
}

std::shared_ptr<Request> PreparedSend::readyOn(CUstream_st* stream) {
  return readyOn(stream, 0, partitions());
}

}  // namespace ucxx
