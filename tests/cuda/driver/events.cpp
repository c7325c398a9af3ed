// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/events.h"

#include <map>
#include <mutex>

#include "cuda/driver/call.h"
#include "cuda/driver/capture.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/streams.h"

struct CUevent_st {
  const stand_in::Life* life = nullptr;
  stand_in::Point point;        // null stream: it was never recorded
  stand_in::Captured captured;  // recorded in a stream that is captured
};

namespace stand_in {
namespace {

struct Events {
  std::mutex mutex;  // guards them, too
  std::map<gpu::Event, std::unique_ptr<CUevent_st>> all;
};

Events& events() {
  static auto* const only = new Events;
  return *only;
}

/// A copy: it may be recorded anew at any time. False: there is none.
bool look(gpu::Event event, CUevent_st& copy) {
  const std::lock_guard lock(events().mutex);
  const auto found = events().all.find(event);
  if (found != events().all.end()) copy = *found->second;
  return found != events().all.end();
}

Result keep(gpu::Event event, CUevent_st value) {
  const std::lock_guard lock(events().mutex);
  const auto found = events().all.find(event);
  if (found == events().all.end()) return kInvalidHandle;
  value.life = found->second->life;
  *found->second = std::move(value);
  return kSuccess;
}

Result record(gpu::Event event, gpu::Stream handle) {
  const StreamPointer stream = streamOf(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (CUevent_st known; !look(event, known) || known.life != &stream->life) return kInvalidHandle;
  if (Captured captured = capturedBy(stream); captured.capture != nullptr)
    return keep(event, {.captured = std::move(captured)});
  const Result result = submit(handle, {.call = "cuEventRecord"});
  return result != kSuccess ? result : keep(event, {.point = lastPointOf(stream)});
}

Result wait(gpu::Stream handle, const CUevent_st& event) {
  const StreamPointer stream = streamOf(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (event.captured.capture != nullptr) return join(stream, event.captured);
  if (capturedBy(stream).capture != nullptr) return kCaptureIsolation;
  if (event.point.stream == nullptr) return kSuccess;
  return submit(handle, {.call = "cuStreamWaitEvent"}, {event.point});
}

/// What an event tells, if it may be asked.
Result checkEvent(gpu::Event event, CUevent_st& copy) {
  if (!look(event, copy)) return kInvalidHandle;
  return copy.captured.capture != nullptr ? kCapturedEvent : kSuccess;
}

}  // namespace

void dropEvents(const Life& life) {
  const std::lock_guard lock(events().mutex);
  std::erase_if(events().all, [&](const auto& each) { return each.second->life == &life; });
}

std::size_t leftEvents() {
  const std::lock_guard lock(events().mutex);
  return events().all.size();
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuEventCreate(gpu::Event* event, unsigned flags) {
  return call("cuEventCreate", kInContext, [&] {
    constexpr unsigned kAllFlags = 7;
    if (event == nullptr || flags > kAllFlags) return kInvalidValue;
    auto made = std::make_unique<CUevent_st>();
    made->life = &currentLife();
    *event = made.get();
    const std::lock_guard lock(events().mutex);
    events().all.emplace(*event, std::move(made));
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuEventDestroy_v2(gpu::Event event) {
  return call("cuEventDestroy", kInContext, [&] {
    const std::lock_guard lock(events().mutex);
    return events().all.erase(event) == 0 ? kInvalidHandle : kSuccess;
  });
}

UCXX_CUDA_API Result cuEventRecord(gpu::Event event, gpu::Stream stream) {
  return call("cuEventRecord", kInContext, [&] { return record(event, stream); });
}

UCXX_CUDA_API Result cuEventQuery(gpu::Event event) {
  return call("cuEventQuery", kUnsafe, [&] {
    CUevent_st copy;
    if (const Result result = checkEvent(event, copy); result != kSuccess) return result;
    return copy.point.stream == nullptr || isDone(copy.point) ? kSuccess : kNotReady;
  });
}

UCXX_CUDA_API Result cuEventSynchronize(gpu::Event event) {
  return call("cuEventSynchronize", kUnsafe, [&] {
    CUevent_st copy;
    if (const Result result = checkEvent(event, copy); result != kSuccess) return result;
    return copy.point.stream == nullptr ? kSuccess : waitFor(copy.point);
  });
}

UCXX_CUDA_API Result cuStreamWaitEvent(gpu::Stream stream, gpu::Event event, unsigned) {
  return call("cuStreamWaitEvent", kInContext, [&] {
    CUevent_st copy;
    return look(event, copy) ? wait(stream, copy) : kInvalidHandle;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
