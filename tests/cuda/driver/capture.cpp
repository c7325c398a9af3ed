// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/capture.h"

#include <algorithm>
#include <list>

#include "cuda/driver/call.h"
#include "cuda/driver/graph.h"
#include "cuda/driver/streams.h"

namespace stand_in {
namespace {

constexpr int kThreadLocalCapture = 1;
constexpr int kCaptureNone = 0, kCaptureActive = 1, kCaptureBroken = 2;  // CUstreamCaptureStatus

thread_local int mode_of_thread = gpu::kGlobalCapture;

struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> active;  // guarded by `mutex`
  unsigned long long last_id = 0;                // likewise
};

Captures& captures() {
  static auto* const only = new Captures;
  return *only;
}

/// Whether a capture forbids unsafe calls to the calling thread.
bool forbids(const Capture& capture) {
  if (mode_of_thread == gpu::kRelaxedCapture) return false;
  const bool is_ours = capture.thread == std::this_thread::get_id();
  if (mode_of_thread == kThreadLocalCapture) return is_ours && capture.mode != gpu::kRelaxedCapture;
  return capture.mode == gpu::kGlobalCapture || (is_ours && capture.mode == kThreadLocalCapture);
}

/// A blocking stream that is captured would have to wait for the legacy stream.
Result refusedInLegacy() {
  Result result = kSuccess;
  for (const auto& capture : captures().active)
    for (const StreamPointer& stream : capture->streams) {
      if (!stream->waits_for_legacy) continue;
      capture->is_invalid = true;
      result = kCaptureImplicit;
    }
  return result;
}

void leave(const std::shared_ptr<Capture>& capture) {
  for (const StreamPointer& stream : capture->streams) {
    stream->capture = nullptr;
    stream->last_nodes.clear();
  }
  std::erase(captures().active, capture);
}

/// Every joined stream's work has to come before the end of the first one's.
bool isJoined(const Capture& capture) {
  for (const StreamPointer& stream : capture.streams)
    for (const Node* const node : stream->last_nodes)
      if (stream != capture.origin && !isBefore(node, capture.origin->last_nodes)) return false;
  return true;
}

Result endOf(const std::shared_ptr<Capture>& capture, gpu::Graph* graph) {
  Result result = kSuccess;
  if (capture->mode != gpu::kRelaxedCapture && capture->thread != std::this_thread::get_id()) {
    capture->is_invalid = true;
    return kWrongThread;
  }
  if (capture->is_invalid)
    result = kCaptureInvalidated;
  else if (!isJoined(*capture))
    result = kCaptureUnjoined;
  if (result == kSuccess)
    *graph = capture->graph;
  else
    destroyGraph(capture->graph);
  leave(capture);
  return result;
}

Result infoOf(const Capture& capture, StreamState& stream, int* status, unsigned long long* id,
              gpu::Graph* graph, const gpu::Node** nodes, std::size_t* count) {
  *status = capture.is_invalid ? kCaptureBroken : kCaptureActive;
  if (capture.is_invalid) return kSuccess;
  if (id != nullptr) *id = capture.id;
  if (graph != nullptr) *graph = capture.graph;
  if (nodes != nullptr) *nodes = stream.last_nodes.data();
  if (count != nullptr) *count = stream.last_nodes.size();
  return kSuccess;
}

}  // namespace

std::mutex& captureMutex() { return captures().mutex; }

Result refusedInCapture() {
  const std::lock_guard lock(captureMutex());
  Result result = kSuccess;
  for (const auto& capture : captures().active)
    if (forbids(*capture)) {
      capture->is_invalid = true;
      result = kCaptureUnsupported;
    }
  return result;
}

Result refusedForStream(const StreamPointer& stream) {
  const std::lock_guard lock(captureMutex());
  if (stream == legacyState()) return refusedInLegacy();
  if (stream->capture == nullptr) return kSuccess;
  stream->capture->is_invalid = true;
  return kCaptureUnsupported;
}

Result capture(const StreamPointer& stream, const Task& task, bool& is_captured) {
  const std::lock_guard lock(captureMutex());
  is_captured = stream->capture != nullptr;
  if (!is_captured) return stream == legacyState() ? refusedInLegacy() : kSuccess;
  if (stream->capture->is_invalid) return kCaptureInvalidated;
  stream->last_nodes = {addNode(*stream->capture->graph, task, stream->last_nodes)};
  return kSuccess;
}

void abandonCapture(const StreamPointer& stream) {
  const std::lock_guard lock(captureMutex());
  if (stream->capture == nullptr) return;
  stream->capture->is_invalid = true;
  if (stream == stream->capture->origin) {
    const auto capture = stream->capture;
    destroyGraph(capture->graph);
    leave(capture);
  }
}

Captured capturedBy(const StreamPointer& stream) {
  const std::lock_guard lock(captureMutex());
  return {stream->capture, stream->last_nodes};
}

Result join(const StreamPointer& stream, const Captured& captured) {
  const std::lock_guard lock(captureMutex());
  const auto& capture = captured.capture;
  if (capture->is_invalid) return kCaptureInvalidated;
  if (std::find(captures().active.begin(), captures().active.end(), capture) ==
      captures().active.end())
    return kInvalidValue;  // the capture has ended
  if (stream->capture == nullptr) {
    if (stream == legacyState()) return capture->is_invalid = true, kCaptureImplicit;
    stream->capture = capture;
    capture->streams.push_back(stream);
  } else if (stream->capture != capture) {
    return kCaptureIsolation;
  }
  for (Node* const node : captured.nodes)
    if (std::find(stream->last_nodes.begin(), stream->last_nodes.end(), node) ==
        stream->last_nodes.end())
      stream->last_nodes.push_back(node);
  return kSuccess;
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuStreamBeginCapture_v2(gpu::Stream handle, int mode) {
  return call("cuStreamBeginCapture", kInContext, [&] {
    const StreamPointer stream = streamOf(handle);
    if (stream == nullptr) return kInvalidHandle;
    if (mode < 0 || mode > gpu::kRelaxedCapture) return kInvalidValue;
    if (stream == legacyState()) return kCaptureUnsupported;
    const std::lock_guard lock(captureMutex());
    if (stream->capture != nullptr) return kIllegalState;
    auto capture = std::make_shared<Capture>();
    *capture = {.id = ++captures().last_id,
                .graph = newGraph(),
                .mode = mode,
                .thread = std::this_thread::get_id(),
                .origin = stream,
                .streams = {stream}};
    stream->capture = capture;
    captures().active.push_back(std::move(capture));
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuStreamEndCapture(gpu::Stream handle, gpu::Graph* graph) {
  return call("cuStreamEndCapture", kInContext, [&] {
    const StreamPointer stream = streamOf(handle);
    if (stream == nullptr) return kInvalidHandle;
    const std::lock_guard lock(captureMutex());
    *graph = nullptr;
    if (stream->capture == nullptr) return kIllegalState;
    if (stream->capture->origin != stream) return kCaptureInvalidated;
    return endOf(std::shared_ptr(stream->capture), graph);
  });
}

/// Of CUDA 12.3: with data of edges, which are all plain here.
UCXX_CUDA_API Result cuStreamGetCaptureInfo_v3(gpu::Stream handle, int* status,
                                               unsigned long long* id, gpu::Graph* graph,
                                               const gpu::Node** nodes, const void** edges,
                                               std::size_t* count) {
  return call("cuStreamGetCaptureInfo", kInContext, [&] {
    const StreamPointer stream = streamOf(handle);
    if (stream == nullptr) return kInvalidHandle;
    const std::lock_guard lock(captureMutex());
    *status = kCaptureNone;
    if (edges != nullptr) *edges = nullptr;
    if (stream == legacyState()) return refusedInLegacy();
    if (stream->capture == nullptr) return kSuccess;
    return infoOf(*stream->capture, *stream, status, id, graph, nodes, count);
  });
}

UCXX_CUDA_API Result cuStreamIsCapturing(gpu::Stream handle, int* status) {
  return call("cuStreamIsCapturing", kInContext, [&] {
    const StreamPointer stream = streamOf(handle);
    if (stream == nullptr) return kInvalidHandle;
    const std::lock_guard lock(captureMutex());
    *status = kCaptureNone;
    if (stream == legacyState()) return refusedInLegacy();
    if (stream->capture == nullptr) return kSuccess;
    return infoOf(*stream->capture, *stream, status, nullptr, nullptr, nullptr, nullptr);
  });
}

UCXX_CUDA_API Result cuStreamUpdateCaptureDependencies_v2(gpu::Stream handle, gpu::Node* nodes,
                                                          const void*, std::size_t count,
                                                          unsigned flags) {
  constexpr unsigned kSet = 1;  // 0: add
  return call("cuStreamUpdateCaptureDependencies", kInContext, [&] {
    const StreamPointer stream = streamOf(handle);
    if (stream == nullptr) return kInvalidHandle;
    const std::lock_guard lock(captureMutex());
    if (stream->capture == nullptr) return kIllegalState;
    if (stream->capture->is_invalid) return kCaptureInvalidated;
    if (flags > kSet || !areOf(*stream->capture->graph, nodes, count)) return kInvalidValue;
    std::vector<Node*> last = flags == kSet ? std::vector<Node*>() : stream->last_nodes;
    last.insert(last.end(), nodes, nodes + count);
    if (hasTwice(last)) return kInvalidValue;
    stream->last_nodes = std::move(last);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuThreadExchangeStreamCaptureMode(int* mode) {
  return call("cuThreadExchangeStreamCaptureMode", kInitialised, [&] {
    if (mode == nullptr || *mode < 0 || *mode > gpu::kRelaxedCapture) return kInvalidValue;
    std::swap(*mode, mode_of_thread);
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
