// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/capture.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/immortal.h"
#include "core/condition/armed.h"
#include "core/loop/loop.h"
#include "cuda/graph_condition.h"

namespace ucxx::cuda {
namespace {

/// What a capture has of a stream at a moment.
struct Capture {
  unsigned long long id = 0;
  Graph graph = nullptr;
  std::vector<Node> last;  // what comes next comes after these
};

Capture captureOf(const Stream& stream, const char* what) {
  int state = 0;
  Capture found;
  const Node* last = nullptr;
  std::size_t count = 0;
  check(requireDriver(what).captureInfo(stream.handle, &state, &found.id, &found.graph, &last,
                                        nullptr, &count),
        "cuStreamGetCaptureInfo", what);
  if (state != base::cuda::kIsCaptured)
    throw InvalidParamError(fmt::format("{}: the capture of stream {} has failed already", what,
                                        static_cast<const void*>(stream.handle)));
  found.last.assign(last, last + count);
  return found;
}

/// The last post of a stream that was captured.
struct LastPost {
  unsigned long long capture = 0;
  std::weak_ptr<GraphCondition> condition;
  const core::Loop* loop = nullptr;

  bool isIn(Node node) const noexcept {
    const auto found = condition.lock();
    return found != nullptr && found->node() == node;
  }
  /// Null: it has ended.
  std::shared_ptr<GraphCondition> openFor(const Capture& now, const ConditionOptions& options,
                                          const core::Loop& its_loop) const {
    const auto found = condition.lock();
    const bool is_open = found != nullptr && capture == now.id && loop == &its_loop &&
                         now.last == std::vector{found->node()} && found->hasLimitsOf(options);
    return is_open ? found : nullptr;
  }
};

/// Between what a capture tells of a stream and what is added to it, no other thread may add:
/// who posts to a stream that is captured has the lock.
struct Captures {
  std::mutex mutex;
  std::unordered_map<base::cuda::Stream, LastPost> last_posts;
};

Captures& captures() noexcept {
  static base::Immortal<Captures> only;
  return *only;
}

/// So that programs that make and destroy streams for ever do not fill it.
void forgetEnded(Captures& all) {
  constexpr std::size_t kMany = 64;
  if (all.last_posts.size() < kMany) return;
  std::erase_if(all.last_posts, [](const auto& one) { return one.second.condition.expired(); });
}

void addInCapture(const Stream& stream, const ConditionOptions& options, core::Loop& loop,
                  core::Operation& op) {
  Captures& all = captures();
  const std::lock_guard lock(all.mutex);
  const Capture now = captureOf(stream, toString(op.kind));
  forgetEnded(all);
  LastPost& last = all.last_posts[stream.handle];
  if (const auto open = last.openFor(now, options, loop)) return open->addChecked(loop, op);
  const auto made = std::make_shared<GraphCondition>(
      GraphPlace{stream.context, now.graph, now.last, stream.handle, now.id}, options);
  made->addChecked(loop, op);
  last = {now.id, made, &loop};
}

}  // namespace

void postInCapture(const Stream& stream, const ConditionOptions& options, core::Loop& loop,
                   core::Operation& op) {
  addInCapture(stream, options, loop, op);
  // Without the lock: a callback of what ends at once may post, too.
  core::submitArmed(loop, op);
}

bool comeAfter(const Stream& stream, const core::Operation& op, const char* what) {
  constexpr unsigned kAddDependencies = 0;  // CU_STREAM_ADD_CAPTURE_DEPENDENCIES
  Captures& all = captures();
  const std::lock_guard lock(all.mutex);
  const Capture now = captureOf(stream, what);
  const auto place = nodeOf(op);
  if (!place || place->capture != now.id) return false;
  for (auto& [handle, last] : all.last_posts)
    if (handle == stream.handle || last.isIn(place->node)) last.capture = 0;  // it is awaited
  if (std::find(now.last.begin(), now.last.end(), place->node) != now.last.end()) return true;
  Node node = place->node;
  check(requireDriver(what).updateCapture(stream.handle, &node, nullptr, 1, kAddDependencies),
        "cuStreamUpdateCaptureDependencies", what);
  return true;
}

void awaitInCapture(const Stream& stream, const core::Operation& op, const char* what) {
  if (comeAfter(stream, op, what)) return;
  throw UnsupportedError(
      fmt::format("{}: stream {} is being captured, and the request was not posted in this "
                  "capture: it would be awaited in each launch, and does not end in each; post "
                  "it in the capture",
                  what, static_cast<const void*>(stream.handle)));
}

}  // namespace ucxx::cuda
