// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <mutex>
#include <thread>

#include "cuda/driver/queue.h"

namespace stand_in {

/// A capture of one stream, and of those that have joined it by events.
struct Capture {
  unsigned long long id = 0;
  gpu::Graph graph = nullptr;
  int mode = gpu::kGlobalCapture;
  std::thread::id thread;
  StreamPointer origin;
  std::vector<StreamPointer> streams;
  bool is_invalid = false;
};

/// Guards all captures, and what streams have of them.
std::mutex& captureMutex();

/// Of a call that is unsafe in captures: whether the calling thread may make it. If not, the
/// captures that forbid it are invalid.
Result refusedInCapture();

/// Whether a stream may be waited for or looked at.
Result refusedForStream(const StreamPointer& stream);

/// Makes a node of a task where the stream is captured.
Result capture(const StreamPointer& stream, const Task& task, bool& is_captured);

/// The stream is no more.
void abandonCapture(const StreamPointer& stream);

/// What an event remembers of a stream that is captured.
struct Captured {
  std::shared_ptr<Capture> capture;
  std::vector<Node*> nodes;
};
/// Null capture: the stream is not captured.
Captured capturedBy(const StreamPointer& stream);
/// The stream waits for what an event has remembered, and so is captured as well.
Result join(const StreamPointer& stream, const Captured& captured);

}  // namespace stand_in
