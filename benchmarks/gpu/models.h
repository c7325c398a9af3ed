// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the measured prices of an H200 say that each way takes, in microseconds: told in the rows
// beside what it takes. docs/performance/gpu_models.md derives each, and says where a price is
// from. A change of UCXX or of a benchmark that a model describes changes the model.

#pragma once

#include <algorithm>
#include <cstddef>

namespace gpu::bench::model {

/// @name Prices of the driver: docs/performance/gpu.md, "Prices"
/// @{
inline constexpr double kKernelCall = 3.76, kKernel = 2.34;  // in the call, in the stream
inline constexpr double kOperation = 1.56, kOperationMore = 0.66;
inline constexpr double kBatchCall = 1.06, kOperationCall = 0.087;
inline constexpr double kRoundTrip = 3.26, kRoundTripInBatch = 3.35;
inline constexpr double kReplay = 4.37, kReplayCall = 3.87, kNodeMore = 0.23;
inline constexpr double kSynchronised = 9.56;  // an idle kernel, to the end of the synchronisation
/// @}

/// @name What follows from run 3: docs/performance/gpu_models.md, "Prices"
/// @{
inline constexpr double kReplayMore = kReplay - kRoundTripInBatch;  // than the same in a stream
inline constexpr double kTagMore = 1.11;       // a tag message, than by a bare thread
inline constexpr double kPlanMore = 2.53;      // a prepared transfer, likewise
inline constexpr double kTagAlone = 3.82;      // ... by a thread that synchronises
inline constexpr double kCopy64 = 10.6;        // of 64 KiB, by the processor
inline constexpr double kLink = 21.05;         // 1 MiB each way between host and device
inline constexpr double kPostAndWait = 8.16;   // of a thread, without the call for the stream
inline constexpr double kLaunchBeside = 4.78;  // the call, with others beside
inline constexpr double kPlansOf4KiB = 2.3;    // two prepared transfers of 4 KiB more than of 8 B
/// @}

constexpr double inStream(int operations) { return kOperation + kOperationMore * (operations - 1); }
constexpr double batchCall(int operations) {
  return kBatchCall + kOperationCall * (operations - 1);
}

/// @name The halo: four edges of 64 KiB a rank, four ranks
/// @{
inline constexpr int kHaloEdges = 4, kHaloOperations = 16;
inline constexpr double kHaloCopies = kHaloEdges * kCopy64, kHaloBytes = kLink + kHaloCopies;
inline constexpr double kHaloSynchronous =
    kSynchronised + kHaloBytes + kTagAlone + (kHaloEdges - 1) * kTagMore;
inline constexpr double kHaloReady =
    kKernel + kHaloBytes + inStream(kHaloOperations) + kHaloEdges * kPlanMore + kRoundTripInBatch;
/// Without the waits for sends.
inline constexpr double kHaloFewerWaits = kHaloReady - kHaloEdges * kOperationMore;
/// With startAll: a write and a wait in place of 16 operations.
inline constexpr double kHaloStartAll = kHaloReady - inStream(kHaloOperations) + inStream(2);
/// The kernel's node and that of the plans, which has three operations.
inline constexpr double kHaloGraph = kKernel + kHaloBytes + kReplayMore + kNodeMore + inStream(3) +
                                     kHaloEdges * kPlanMore + kRoundTripInBatch;
/// A node of the start before it, and one of the wait behind: each with its operations and answer.
inline constexpr double kHaloBegun = kHaloGraph + kNodeMore + inStream(3) + kRoundTripInBatch;
/// How much less if all that the kernel does over the link is beside the copies of other
/// partitions, or they beside it.
inline constexpr double kHaloBeside = std::min(kLink, kHaloCopies);
inline constexpr double kHaloThread =
    kLaunchBeside + 2 * kHaloEdges * kPostAndWait + batchCall(kHaloOperations);
inline constexpr double kHaloStartAllThread = kLaunchBeside + kPostAndWait + batchCall(2);
inline constexpr double kHaloGraphThread = kReplayCall + kNodeMore;
inline constexpr double kHaloBegunThread = kReplayCall + 2 * kNodeMore;
/// @}

/// @name The broadcast: how much more than by streams
/// @{
/// The root's replay, node and three operations in place of four; the middle's node more, and that
/// the node of its receive sets its word back before the sends start.
inline constexpr double kGraphMore =
    kReplayMore + kNodeMore - kOperationMore + kNodeMore + kOperationMore;
inline constexpr double kTwoNodesMore = kGraphMore - kNodeMore;
/// Two transfers on the way of a broadcast.
constexpr double preparedGraphMore(std::size_t bytes) {
  return kGraphMore + 2 * (kPlanMore - kTagMore) + (bytes < 4096 ? 0 : kPlansOf4KiB);
}
/// @}

/// @name An iteration of ping-pong
/// @{
inline constexpr double kBatchMore = 2 * (kRoundTripInBatch - kRoundTrip);  // than by single calls
inline constexpr double kIterationThread = kLaunchBeside + kPostAndWait + 2 * kBatchCall;
/// Of the first side: a kernel, and a node that sends and receives.
inline constexpr double kReplayThread = kReplayCall + kNodeMore;
inline constexpr double kGraphIterationMore =
    (kReplayMore + kNodeMore + kOperationMore) + (kReplayMore + 2 * kNodeMore + kOperationMore);
/// @}

}  // namespace gpu::bench::model
