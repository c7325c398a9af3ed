// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <functional>

#include "cuda/driver/queue.h"

namespace stand_in {

/// The stream of a handle; null: there is none.
StreamPointer streamOf(gpu::Stream handle);

/// Enqueues, or adds a node to the graph that the stream is captured into.
Result submit(gpu::Stream handle, Task task, std::vector<Point> after = {});

/// Does it in the legacy stream and waits for it, as calls without a stream do.
Result submitAndWait(Task task);

std::size_t leftStreams();
void dropStreams(const Life& life);  // their handles may be used again

}  // namespace stand_in
