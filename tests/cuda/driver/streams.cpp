// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/streams.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "cuda/driver/call.h"
#include "cuda/driver/callbacks.h"
#include "cuda/driver/capture.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/faults.h"
#include "cuda/driver/reset.h"

/// A handle. It is used again after the stream is destroyed.
struct CUstream_st {
  stand_in::StreamPointer state;  // null: free
};

namespace stand_in {
namespace {

struct Streams {
  std::mutex mutex;
  std::deque<CUstream_st> handles;  // guarded by `mutex`, as is all; they stay where they are
  std::vector<gpu::Stream> free;
};

Streams& streams() {
  static auto* const only = new Streams;
  return *only;
}

unsigned long long newStreamId() {
  static std::atomic<unsigned long long> last{kLegacyId};
  return ++last;
}

StreamPointer newStream(bool is_blocking) {
  return std::make_shared<StreamState>(currentLife(), newStreamId(), is_blocking);
}

gpu::Stream handleFor(StreamPointer state) {
  const std::lock_guard lock(streams().mutex);
  if (streams().free.empty()) streams().free.push_back(&streams().handles.emplace_back());
  const gpu::Stream handle = streams().free.back();
  streams().free.pop_back();
  handle->state = std::move(state);
  return handle;
}

Result makeStream(gpu::Stream* stream, unsigned flags, bool is_kept = false) {
  if (stream == nullptr || flags > gpu::kNonBlocking) return kInvalidValue;
  const StreamPointer made = newStream(flags != gpu::kNonBlocking);
  made->is_kept = is_kept;
  *stream = handleFor(made);
  return kSuccess;
}

StreamPointer takeStream(gpu::Stream handle) {
  const std::lock_guard lock(streams().mutex);
  for (CUstream_st& each : streams().handles) {
    if (&each != handle || each.state == nullptr) continue;
    streams().free.push_back(handle);
    return std::exchange(each.state, nullptr);
  }
  return nullptr;
}

StreamPointer streamOfThread() {
  thread_local StreamPointer last;
  if (last == nullptr || &last->life != &currentLife()) last = newStream(true);
  return last;
}

/// What a thread waits for or looks at may not be captured.
Result checkUse(const StreamPointer& stream) {
  if (stream == nullptr) return kInvalidHandle;
  return refusedForStream(stream);
}

}  // namespace

StreamPointer streamOf(gpu::Stream handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number <= 1) return legacyState();
  if (number == 2) return streamOfThread();
  const std::lock_guard lock(streams().mutex);
  for (const CUstream_st& each : streams().handles)
    if (&each == handle) return each.state;
  return nullptr;
}

Result submit(gpu::Stream handle, Task task, std::vector<Point> after) {
  const StreamPointer stream = streamOf(handle);
  if (stream == nullptr) return kInvalidHandle;
  bool is_captured = false;
  const Result result = capture(stream, task, is_captured);
  if (is_captured || result != kSuccess) return result;
  return enqueue(stream, std::move(task), std::move(after));
}

Result submitAndWait(Task task) {
  const StreamPointer legacy = legacyState();
  if (isFreeForLegacy()) {
    const Result refused = refusedForStream(legacy);
    if (refused != kSuccess) return refused;
    return guarded(task.run) ? kSuccess : lostBy();
  }
  const Result result = submit(nullptr, std::move(task));
  return result != kSuccess ? result : waitFor(lastPointOf(legacy));
}

void dropStreams(const Life& life) {
  std::vector<StreamPointer> dropped;
  {
    const std::lock_guard lock(streams().mutex);
    for (CUstream_st& each : streams().handles) {
      if (each.state == nullptr || &each.state->life != &life) continue;
      streams().free.push_back(&each);
      dropped.push_back(std::exchange(each.state, nullptr));
    }
  }
  for (const StreamPointer& stream : dropped) abandonCapture(stream);
}

std::size_t leftStreams() {
  const std::lock_guard lock(streams().mutex);
  const auto& all = streams().handles;
  const auto is_left = [](const CUstream_st& each) {
    return each.state != nullptr && !each.state->is_kept;
  };
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_left));
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuStreamCreate(gpu::Stream* stream, unsigned flags) {
  return call("cuStreamCreate", kInContext, [&] { return makeStream(stream, flags); });
}

/// Any priority is one: the driver takes the nearest that there is. UCXX keeps those that it makes
/// so, as what it page-locks.
UCXX_CUDA_API Result cuStreamCreateWithPriority(gpu::Stream* stream, unsigned flags, int) {
  return call("cuStreamCreateWithPriority", kInContext,
              [&] { return makeStream(stream, flags, true); });
}

/// What it has been given goes on.
UCXX_CUDA_API Result cuStreamDestroy_v2(gpu::Stream handle) {
  return call("cuStreamDestroy", kInContext, [&] {
    const StreamPointer stream = takeStream(handle);
    if (stream == nullptr) return kInvalidHandle;
    abandonCapture(stream);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuStreamQuery(gpu::Stream handle) {
  return call("cuStreamQuery", kUnsafe, [&] {
    const StreamPointer stream = streamOf(handle);
    if (const Result result = checkUse(stream); result != kSuccess) return result;
    return isDone(lastPointOf(stream)) ? kSuccess : kNotReady;
  });
}

UCXX_CUDA_API Result cuStreamSynchronize(gpu::Stream handle) {
  return call("cuStreamSynchronize", kUnsafe, [&] {
    const StreamPointer stream = streamOf(handle);
    if (const Result result = checkUse(stream); result != kSuccess) return result;
    return waitFor(lastPointOf(stream));
  });
}

UCXX_CUDA_API Result cuStreamGetId(gpu::Stream handle, unsigned long long* id) {
  return call("cuStreamGetId", kInContext, [&] {
    const StreamPointer stream = streamOf(handle);
    if (stream == nullptr) return kInvalidHandle;
    if (const Result result = checkUse(stream); result != kSuccess) return result;
    *id = stream->id;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuStreamGetCtx(gpu::Stream handle, gpu::Context* context) {
  return call("cuStreamGetCtx", kInContext, [&] {
    const StreamPointer stream = streamOf(handle);
    if (stream == nullptr) return kInvalidHandle;
    *context = stream->life.context;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuLaunchHostFunc(gpu::Stream stream, void (*function)(void*), void* data) {
  return call("cuLaunchHostFunc", kInContext, [&] {
    if (function == nullptr) return kInvalidValue;
    constexpr int kHostNodeType = 3;
    return submit(stream, {.type = kHostNodeType, .call = "cuLaunchHostFunc", .run = [=] {
                             callBackAndWait([=] { function(data); });
                           }});
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
