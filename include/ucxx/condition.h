// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <ucs/type/status.h>

#include <ucxx/export.h>

// What cudaStream_t, cudaGraph_t, cudaGraphNode_t and their like of the driver point to.
struct CUstream_st;
struct CUgraph_st;
struct CUgraphNode_st;

namespace ucxx {

namespace core {
class ConditionState;
}
namespace device {
struct Handle;  // ucxx/cuda/device.h
}

/// How a condition behaves.
struct ConditionOptions {
  /// Its transfers start at each trigger, with the buffers that they were posted with, instead of
  /// once.
  bool repeat = false;
  /// A transfer that has not started so long after its post ends with TIMED_OUT. 0: it waits for
  /// ever.
  std::chrono::milliseconds start_timeout{0};
  /// A transfer that has not ended so long after its start is cancelled, and ends with TIMED_OUT;
  /// if it does not end within the same time once more, its endpoint is closed (one that has none
  /// ends by itself). 0: no limit.
  std::chrono::milliseconds transfer_timeout{0};
  /// Streams, graphs, kernels: the worker needs no progress thread, since the caller moves it and
  /// never waits for the device meanwhile.
  bool caller_progresses = false;
};

/// What transfers wait for: they are posted with it now, and start when it is triggered.
///
///     auto filled = ucxx::Condition::host();
///     auto send = endpoint->tagSendBuilder(data, bytes, tag).condition(filled).build();
///     ...                // fill `data`, on any thread
///     filled.trigger();  // the send leaves
///
/// Until then a transfer is *armed*: its arguments were checked, and nothing else has happened. It
/// holds up no flush and no close, has no place in the order of messages, and is not counted as
/// pending. `cancel`, `close`, or a failure of its endpoint end it at once. A receive, too, is
/// posted when it starts: what comes before is an unexpected message.
///
/// All transfers posted with one condition start together, in the order of their posts; with one of
/// a stream each starts at its own place in the stream. The condition ends after the last of them;
/// `lastStatus` is the first error, or OK.
///
/// A *repeating* condition starts its transfers again at each trigger. Triggers count: what is
/// triggered while a repetition is under way starts after it. The requests end when the condition
/// is closed (OK), or when a repetition of theirs fails; the condition goes on with the others.
/// What a repeating receive has received is that of its last repetition; it cannot be given back.
/// Receives that bring a buffer of their own (active messages, multi-buffer messages) cannot
/// repeat.
///
/// A handle: copies are the same condition, which belongs to the worker of its first post. When the
/// last copy goes, it is closed, unless it is a stream's or a graph's. Threads: any, at once; with
/// `WorkerOptions::single_thread` that of its worker. A process has at most 4096 conditions at a
/// time, among which each post of a stream and each `Request::waitOn` under way counts, and 1024
/// nodes of graphs.
class UCXX_PUBLIC Condition {
 public:
  /// None: a transfer posted with it starts at once.
  Condition() noexcept = default;
  /// One that a thread triggers. Throws `NoResourceError` when there are 4096, `InvalidParamError`
  /// for a negative timeout, `Error` in a forked child.
  static Condition host(const ConditionOptions& options = {});

  /// The place in `stream`, a stream of CUDA, at which a transfer is posted: it starts when the
  /// stream gets there, after all work that was put into it before. The stream goes on at once;
  /// `Request::waitOn` lets it, or another one, wait for the end.
  ///
  ///     fill<<<blocks, threads, 0, stream>>>(data);
  ///     auto send = endpoint->tagSendBuilder(data, bytes, tag)
  ///                     .condition(ucxx::Condition::stream(stream)).build();
  ///     send->waitOn(stream);
  ///     fill<<<blocks, threads, 0, stream>>>(data);  // not before the send has ended
  ///
  /// Each post marks a place of its own. Those of one thread start in the order of their places; a
  /// post puts the mark into the stream in its call, on its thread. At most 256 of a stream may be
  /// on their way: the next post waits until one has ended and its place was reached, and throws
  /// `NoResourceError` on the thread that moves the worker. `epoch` counts the transfers that have
  /// ended. Whatever happens to a transfer, the stream goes on. `close` ends those that have not
  /// started, with CANCELED; to drop the handle changes nothing.
  ///
  /// The worker needs a progress thread: who waits for a stream cannot move the worker meanwhile.
  /// A buffer in managed memory is refused, and one of a device as without a condition. One that a
  /// kernel writes to has to be page-locked (`cudaMallocHost`, `cudaHostRegister`).
  ///
  /// Throws `UnsupportedError`: there is no driver of CUDA 12.0 or newer (while the stream is
  /// captured, 12.3), or the device lacks memory operations of 64 bits; `InvalidParamError`:
  /// `stream` is none, is the legacy default stream (null, 1), or `repeat` is set; `Error`: what
  /// the driver says. `attach()` of `ucxx/cuda/stream.h` is done first where it was not.
  static Condition stream(CUstream_st* stream, const ConditionOptions& options = {});

  /// A node of `graph`, a graph of CUDA, which comes after the nodes `after`: each time that it is
  /// reached in a launch, its transfers start again, and it is done when all of them have ended.
  /// The first post makes the node (`node`), and all are posted before the first launch. A post
  /// with `Condition::stream` on a stream that is captured makes such a node, too, which comes next
  /// in the stream.
  ///
  ///     auto arrived = ucxx::Condition::graph(graph);
  ///     auto receive = endpoint->tagRecvBuilder(data, bytes, tag).condition(arrived).build();
  ///     CUgraphNode_st* node = arrived.node();
  ///     cudaGraphAddDependencies(graph, &node, &uses_data, 1);
  ///
  /// What comes after the node in the graph waits for all of its transfers. So where two ends send
  /// to each other, both post with one condition: a node that awaits its receive before the node of
  /// the send waits for a peer that does the same. Posts that follow each other in a capture are
  /// in one node, up to the first `Request::waitOn`.
  ///
  /// The condition lives as long as `graph` and what was instantiated from it, and repeats; `close`
  /// and dropping the handle change nothing. Its requests end with OK when these are gone; the
  /// buffers have to live until then. A transfer that fails ends its request; from then on its node
  /// awaits the others alone, and `lastStatus` is the failure, as it is when the endpoint is
  /// dropped. `start_timeout` counts from the post to the first launch. Of what is posted in a
  /// capture only the request tells: no condition counts it.
  ///
  /// The worker has to live as long as the graph is launched. Launches of one executable graph come
  /// one after the other. Two of the same graph must not be under way at the same time: from then
  /// on `lastStatus` is BUSY, a launch may go on before its transfers have ended, or wait for ever.
  ///
  /// The node is of the context that is current now. Throws as `Condition::stream`; also
  /// `InvalidParamError`: a node in `after` is null; `NoResourceError`: a process has 1024 of them.
  /// No post may be in the body of a conditional node, which CUDA refuses at the instantiation.
  static Condition graph(CUgraph_st* graph, const std::vector<CUgraphNode_st*>& after = {},
                         const ConditionOptions& options = {});

  /// What kernels of the current device trigger and wait for, by the functions of
  /// `ucxx/cuda/device.h` and `deviceHandle()`; also kernels in graphs, and in the bodies of
  /// conditional nodes.
  ///
  ///     auto filled = ucxx::Condition::kernel();
  ///     auto send = endpoint->tagSendBuilder(data, bytes, tag).condition(filled).build();
  ///     fill<<<blocks, threads, 0, stream>>>(data, filled.deviceHandle());
  ///     // in the kernel, one thread, when `data` is there:  ucxx::device::trigger(handle);
  ///     // in this or another one:  ucxx::device::wait(handle, 1);
  ///
  /// All is posted before the first trigger. One that does not repeat takes one trigger: later ones
  /// start nothing, and who waits for them is told CANCELED, as all who wait are when the condition
  /// is closed or its worker ends. Keep a copy of it until the kernels have ended that were given
  /// the handle: when the last one goes, it is closed, and the next condition gets its handle.
  ///
  /// Memory and progress thread as for `Condition::stream`. Throws likewise; and `NoResourceError`:
  /// there are 4096. The first one of a context, unless `attach` has done so, allocates 256 KiB of
  /// its device, which may wait for all streams.
  static Condition kernel(const ConditionOptions& options = {});

  /// Starts its transfers, the first 64 in this call if this thread can move the worker, else on
  /// the thread that does; a worker that sleeps is woken. They come after what this thread posted
  /// before. What was written before is seen by whoever sends it. May be called in callbacks.
  /// `InvalidParamError`: it is none, closed, was triggered before and does not repeat, nothing was
  /// posted with it yet, or a device triggers it. `Error` in a forked child.
  void trigger() const;
  /// No trigger comes any more: armed transfers end, with OK if it repeats, else with CANCELED. A
  /// repetition under way ends before. Does nothing the second time. `InvalidParamError`: it is
  /// none.
  void close() const;

  /// How often all of its transfers have ended so far, with success or without: 1 for a condition
  /// that has ended, and does not repeat.
  std::uint64_t epoch() const noexcept;
  /// Of the last end: OK, or the first error of its transfers; `UCS_INPROGRESS` before the first.
  ucs_status_t lastStatus() const noexcept;
  /// Whether `epoch()` grows no more: it has ended and does not repeat, or it is closed and nothing
  /// is under way.
  bool isOver() const noexcept;
  /// Waits until `epoch()` is `epoch` or more, or it is closed and nothing is under way; moves the
  /// worker while no progress thread does, and keeps it meanwhile. False: the time was up, or it is
  /// closed short of `epoch`. A negative timeout waits for ever. Not in callbacks.
  /// `InvalidParamError`: it is none; `Error` in a forked child.
  bool wait(std::uint64_t epoch = 1,
            std::chrono::nanoseconds timeout = std::chrono::nanoseconds{-1}) const;

  /// The node of a graph's condition; null before its first post, when the graph and what was
  /// instantiated from it have gone, and of other conditions. Owner: the graph.
  CUgraphNode_st* node() const noexcept;

  /// For kernels, in memory of the device; null: it is no kernel's. Owner: the condition.
  device::Handle* deviceHandle() const noexcept;

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  core::ConditionState* state() const noexcept { return handle_.get(); }

 private:
  explicit Condition(std::shared_ptr<core::ConditionState> state);
  core::ConditionState& required(const char* call) const;

  std::shared_ptr<core::ConditionState> handle_;  // the last copy closes it
};

}  // namespace ucxx
