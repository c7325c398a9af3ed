// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <memory>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/request.h>

#include "base/file_descriptor.h"
#include "core/condition_words.h"
#include "core/loop.h"
#include "cuda/enqueue.h"
#include "cuda/graph_condition.h"
#include "cuda/post_checks.h"
#include "cuda/words.h"

namespace ucxx {
namespace cuda {
namespace {

/// Tells a stream that a request has ended: the status, then the word that the stream waits for.
class Answer final : public Continuation {
 public:
  explicit Answer(const core::Operation& op) : op_(op) {}
  void onEnd() override {
    const std::unique_ptr<Answer> ending(this);
    words_.answer().status.store(op_.result, std::memory_order_relaxed);
    words_.answer().done.store(doneValue(), std::memory_order_release);
  }
  const void* word() const noexcept { return &words_.answer().done; }
  std::uint64_t doneValue() const noexcept { return words_.base() + 1; }

 private:
  core::ConditionWords words_;
  const core::Operation& op_;  // lives until its continuations have been told
};

constexpr unsigned kAddDependencies = 0;  // CU_STREAM_ADD_CAPTURE_DEPENDENCIES

/// In a capture: of the node in which the transfer is.
void comeAfter(const core::Operation& op, const Stream& stream, const char* what) {
  Node node = nodeOf(op);
  if (node == nullptr)
    throw UnsupportedError(
        fmt::format("{}: stream {} is being captured, and the request was posted before: it would "
                    "be awaited in each launch, and ends once; post it in the capture",
                    what, stream.id));
  check(requireDriver(what).updateCapture(stream.handle, &node, nullptr, 1, kAddDependencies),
        "cuStreamUpdateCaptureDependencies", what);
}

}  // namespace
}  // namespace cuda

void Request::waitOn(CUstream_st* handle, bool caller_progresses) {
  constexpr const char* kWhat = "waitOn";
  base::requireNotForked();
  const cuda::Stream stream = cuda::Stream::of(handle, kWhat);
  if (isCompleted()) return;
  if (cuda::isCaptured(stream, kWhat)) return cuda::comeAfter(operation(), stream, kWhat);
  cuda::requireMover(*operation().loop, caller_progresses, kWhat);
  auto answer = std::make_unique<cuda::Answer>(operation());
  const cuda::MemoryOperation wait = [&] {
    const cuda::InContext context(stream.context, kWhat);
    return cuda::waitFor(cuda::addressOf(answer->word(), stream.context, kWhat),
                         answer->doneValue());
  }();
  // It answers also where the stream has not taken the wait: nobody hears it then.
  if (!attach(*answer)) return;
  (void)answer.release();
  cuda::enqueue(stream, wait, nullptr, kWhat);
}

}  // namespace ucxx
