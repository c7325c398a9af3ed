// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The groups of facts. Each runs in a process of its own: an error that sticks to a context, or a
// stream that waits for ever, is the end of one group only.

#pragma once

namespace gpu {

void tellDevice();     // attributes, versions
void tellPointers();   // what it costs to ask about an address
void tellPages();      // page-locking
void tellStream();     // memory operations in a stream
void tellBatch();      // several in one call
void tellCapture();    // the same while the stream is captured
void tellGraph();      // as a node of a graph
void tellLifetime();   // what a graph keeps, how long, and what it takes no node for
void tellSticky();     // after an error that stays
void tellRoundTrip();  // GPU, a bare CPU thread, GPU
void tellCosts();      // of calls, and of what they enqueue
void tellQueue();      // how much can be enqueued behind a stream that waits
void tellStreams();    // how many streams may wait at once
void tellBlocking();   // which calls wait for a stream that waits
void tellHeldUp();     // which calls come back while another thread's waits for a stream
void tellCopies();     // staging between device and page-locked memory
void tellIpc();        // device memory of another process

/// The other process of tellIpc: opens the handle that is the word.
void answerIpc(const char* word);

}  // namespace gpu
