// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <memory>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/request.h>

#include "base/file_descriptor.h"
#include "core/condition_words.h"
#include "core/loop.h"
#include "cuda/capture.h"
#include "cuda/enqueue.h"
#include "cuda/graph_nodes.h"
#include "cuda/post_checks.h"
#include "cuda/waiting_streams.h"
#include "cuda/words.h"

namespace ucxx {
namespace cuda {
namespace {

/// Tells a stream that a request has ended: the status, then the word that the stream waits for.
class Answer final : public Continuation {
 public:
  Answer(const core::Operation& op, const Stream& stream) : op_(op), waiting_(stream) {}
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
  const WaitingStream waiting_;
};

/// One of a graph ends with the graph.
void requireEndsOnce(const core::Operation& op, const char* what) {
  if (nodeOf(op))
    throw InvalidParamError(
        fmt::format("{}: the request is of a graph, and does not end before that is gone; its node "
                    "has ended when the launch has",
                    what));
}

}  // namespace
}  // namespace cuda

void Request::waitOn(CUstream_st* handle, bool caller_progresses) {
  constexpr const char* kWhat = "waitOn";
  base::requireNotForked();
  const cuda::Stream stream = cuda::Stream::of(handle, kWhat);
  if (stream.isCaptured()) return cuda::awaitInCapture(stream, operation(), kWhat);
  if (isCompleted()) return;
  cuda::requireEndsOnce(operation(), kWhat);
  cuda::requireMover(*operation().loop, caller_progresses, kWhat);
  auto answer = std::make_unique<cuda::Answer>(operation(), stream);
  const cuda::InContext context(stream.context, kWhat);
  const cuda::MemoryOperation wait =
      cuda::waitFor(cuda::addressOf(answer->word(), stream.context, kWhat), answer->doneValue());
  // It answers also where the stream has not taken the wait: nobody hears it then.
  if (!attach(*answer)) return;
  (void)answer.release();
  cuda::enqueue(stream, wait, nullptr, kWhat);
}

}  // namespace ucxx
