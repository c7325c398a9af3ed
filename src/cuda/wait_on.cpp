// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/wait_on.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/request.h>

#include "base/file_descriptor.h"
#include "core/condition/condition_words.h"
#include "core/loop/loop.h"
#include "cuda/capture.h"
#include "cuda/enqueue.h"
#include "cuda/graph_nodes.h"
#include "cuda/post_checks.h"
#include "cuda/waiting_streams.h"
#include "cuda/words.h"

namespace ucxx {
namespace cuda {
namespace {

/// Tells a stream that requests have ended: the status, which is the first error of them, then the
/// word that the stream waits for.
class Answer {
 public:
  explicit Answer(const Stream& stream) : waiting_(stream) {}
  /// To be told of one more. Throws `std::bad_alloc`.
  static void hear(const std::shared_ptr<Answer>& answer, Request& request) {
    auto part = std::make_unique<Part>(answer, request.operation());
    ++answer->left_;
    if (request.attach(*part))
      (void)part.release();
    else
      --answer->left_;  // it has ended
  }
  /// No more come. False: all have ended.
  bool isAwaited() noexcept { return --left_ != 0; }
  const void* word() const noexcept { return &words_.answer().done; }
  std::uint64_t doneValue() const noexcept { return words_.base() + 1; }

 private:
  struct Part final : Continuation {
    Part(std::shared_ptr<Answer> its_answer, const core::Operation& its_op)
        : answer(std::move(its_answer)), op(its_op) {}
    void onEnd() override {
      const std::unique_ptr<Part> ending(this);
      answer->isEnded(op.result);
    }
    const std::shared_ptr<Answer> answer;
    const core::Operation& op;  // lives until its continuations have been told
  };

  void isEnded(ucs_status_t status) noexcept {
    ucs_status_t none = UCS_OK;
    if (status != UCS_OK) error_.compare_exchange_strong(none, status);
    if (--left_ != 0) return;
    words_.answer().status.store(error_, std::memory_order_relaxed);
    words_.answer().done.store(doneValue(), std::memory_order_release);
  }

  core::ConditionWords words_;
  std::atomic<std::size_t> left_{1};  // requests, and that more may come
  std::atomic<ucs_status_t> error_{UCS_OK};
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

void awaitInStream(const Stream& stream, const std::vector<Request*>& requests,
                   bool caller_progresses, const char* what) {
  if (requests.empty()) return;
  for (const Request* const one : requests) {
    requireEndsOnce(one->operation(), what);
    requireMover(*one->operation().loop, caller_progresses, what);
  }
  const auto answer = std::make_shared<Answer>(stream);
  const InContext context(stream.context, what);
  const MemoryOperation wait =
      waitFor(addressOf(answer->word(), stream.context, what), answer->doneValue());
  // It answers also where the stream has not taken the wait: nobody hears it then.
  for (Request* const one : requests) Answer::hear(answer, *one);
  if (answer->isAwaited()) enqueue(stream, wait, nullptr, what);
}

}  // namespace

void awaitAll(const Stream& stream, const std::vector<std::shared_ptr<Request>>& requests,
              bool caller_progresses, const char* what) {
  std::vector<Request*> moving;
  for (const auto& one : requests) {
    if (stream.isCaptured())
      awaitInCapture(stream, one->operation(), what);
    else if (!one->isCompleted())
      moving.push_back(one.get());
  }
  awaitInStream(stream, moving, caller_progresses, what);
}

}  // namespace cuda

void Request::waitOn(CUstream_st* handle, bool caller_progresses) {
  constexpr const char* kWhat = "waitOn";
  base::requireNotForked();
  const cuda::Stream stream = cuda::Stream::of(handle, kWhat);
  if (stream.isCaptured()) return cuda::awaitInCapture(stream, operation(), kWhat);
  if (!isCompleted()) cuda::awaitInStream(stream, {this}, caller_progresses, kWhat);
}

}  // namespace ucxx
