// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Streams, and the connections in which their entries run.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cuda/driver/types.h"

namespace stand_in {

struct Capture;
struct Connections;
struct Life;
using Node = ::CUgraphNode_st;

/// A stream. Its handle may be that of another one later; this stays until its last entry is done.
struct StreamState {
  StreamState(Life& of, unsigned long long number, bool is_blocking)
      : life(of), id(number), waits_for_legacy(is_blocking) {}

  Life& life;
  const unsigned long long id;
  const bool waits_for_legacy;  // and the legacy stream for it
  bool is_kept = false;         // for as long as the process lives

  // Of queue.cpp.
  std::uint64_t enqueued = 0, done = 0;
  std::size_t connection = 0;

  // Of capture.cpp: what a captured entry comes after.
  std::shared_ptr<Capture> capture;
  std::vector<Node*> last_nodes;
};
using StreamPointer = std::shared_ptr<StreamState>;

/// When all entries of a stream up to one are done.
struct Point {
  StreamPointer stream;
  std::uint64_t number = 0;
};

/// What a stream or a node of a graph does.
struct Task {
  int type = 5;           // CUgraphNodeType; 5: nothing
  const char* call = "";  // of the driver, that made it
  std::function<void()> run;
  unsigned operations = 1;             // that it takes in the launch queue
  std::vector<MemoryOperation> batch;  // of type kBatchNodeType
  std::function<Result()> prepare;     // before it runs for the first time
};

inline constexpr int kCopyNodeType = 1;

inline constexpr std::size_t kMostEntries = 1020;       // behind the one that runs
inline constexpr std::size_t kMostOperations = 92'600;  // likewise: 363 batches of 255

/// Waits while the launch queue is full. Afterwards `after` is done before it, and all that the
/// legacy stream orders.
Result enqueue(const StreamPointer& stream, Task task, std::vector<Point> after = {});

Point lastPointOf(const StreamPointer& stream);
bool isDone(const Point& point);
Result waitFor(const Point& point);
/// Where another thread's call waits for all streams: until it comes back. For copies, of which no
/// GPU has shown yet that they come back before.
Result waitForThoseThatWaitForAll();
Result waitForAll();  // all that has been enqueued, in any stream of the current context

inline constexpr unsigned long long kLegacyId = 7;  // as the driver says
StreamPointer legacyState();                        // of the current context

/// How many there are of this type that are not done. What graphs do is not counted.
std::size_t entriesOfType(int type);

/// Whether what the legacy stream is asked to do may be done at once, in the calling thread.
bool isFreeForLegacy();

Connections& makeConnections();  // of a new life
/// What its streams have been given is not done any more, and no stream waits for it.
void abandonAll(Life& life);

/// Something that others wait for may have changed.
void tellChange();

/// Up to Options::delay.
void delayAtRandom();

}  // namespace stand_in
