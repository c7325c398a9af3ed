// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Prepared transfers that streams and kernels take part in.

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/prepared.h>
#include <ucxx/request.h>

#include "api/prepared_groups.h"
#include "base/file_descriptor.h"
#include "core/loop/loop.h"
#include "core/plan/plan.h"
#include "cuda/capture.h"
#include "cuda/graph_nodes.h"
#include "cuda/plan_memory.h"
#include "cuda/post_checks.h"
#include "cuda/stream.h"
#include "cuda/wait_on.h"
#include "cuda/words.h"

namespace ucxx {

namespace cuda {
namespace {

using Requests = std::vector<std::shared_ptr<Request>>;

/// What a stream waits for, of several plans, until their iterations have ended.
struct Ends {
  Requests requests;                    // that end with them
  core::PreparedGroups::Plans in_turn;  // whose iterations are known when the stream gets there
  Requests starts;                      // of these: another thread may post others meanwhile
};

bool endsInEachLaunch(const Request& start) {
  return nodeOf(start.operation()) && core::PreparedGroups::endsWithIteration(start);
}

Ends endsOf(const Stream& stream, const core::PreparedGroups::Plans& plans) {
  Ends ends;
  for (Prepared* const plan : plans) {
    const auto start = core::PreparedGroups::lastPosted(*plan);
    const bool repeats = start != nullptr && start->operation().repeats;
    if (start == nullptr || (!repeats && start->isCompleted()))
      ends.requests.push_back(plan->request());  // of what is in progress
    else if (!repeats || (stream.isCaptured() && endsInEachLaunch(*start)))
      ends.requests.push_back(start);
    else {
      ends.in_turn.push_back(plan);
      ends.starts.push_back(start);
    }
  }
  return ends;
}

/// In a capture it comes after the nodes of the starts.
std::shared_ptr<Request> postInTurn(const Stream& stream, const Ends& ends, bool caller_progresses,
                                    const char* what) {
  if (stream.isCaptured())
    for (const auto& start : ends.starts) (void)comeAfter(stream, start->operation(), what);
  const auto now = Condition::stream(stream.handle, {.caller_progresses = caller_progresses});
  return core::PreparedGroups::endInTurn(now, ends.in_turn);
}

void awaitPlans(CUstream_st* handle, const core::PreparedGroups::Plans& plans,
                bool caller_progresses, const char* what) {
  base::requireNotForked();
  const Stream stream = Stream::of(handle, what);
  Ends ends = endsOf(stream, plans);
  // Before any wait: its iteration is the one that is in progress now.
  if (!ends.in_turn.empty())
    ends.requests.push_back(postInTurn(stream, ends, caller_progresses, what));
  awaitAll(stream, ends.requests, caller_progresses, what);
}

}  // namespace
}  // namespace cuda

std::shared_ptr<Request> Prepared::startOn(CUstream_st* stream, StartUntil until) {
  return start(Condition::stream(stream), until);
}

void Prepared::waitOn(CUstream_st* stream, bool caller_progresses) {
  cuda::awaitPlans(stream, {this}, caller_progresses, "waitOn");
}

void waitAllOn(CUstream_st* stream, const std::vector<std::shared_ptr<Prepared>>& plans,
               bool caller_progresses) {
  constexpr const char* kCall = "waitAllOn";
  cuda::awaitPlans(stream, core::PreparedGroups::checked(plans, kCall), caller_progresses, kCall);
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
  plan_->loop.posts.run([&] {  // which alone knows whether an iteration has begun
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
