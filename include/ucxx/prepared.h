// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <ucp/api/ucp.h>

#include <ucxx/component.h>
#include <ucxx/condition.h>
#include <ucxx/explanation.h>
#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

namespace core {
class Plan;
class PreparedGroups;
class RecvPlan;
class SendPlan;
struct PostedStart;
}  // namespace core
namespace device {
struct Prepared;  // ucxx/cuda/device.h
}

struct PrepareOptions {
  /// Into so many parts of one size the buffer is divided; 1 to 65536. The counts of the two ends
  /// may differ if one of them divides the other.
  std::size_t partitions = 1;
  /// A send whose partitions kernels make ready (`deviceHandle`): so many calls of
  /// `device::ready` do so in each iteration; 1 to 2^32 - 1. A receive has 1.
  std::size_t contributors = 1;
};

/// When a start that is posted with a condition ends.
enum class StartUntil : std::uint8_t {
  /// With the iteration.
  Ended,
  /// As soon as the iteration has begun: threads may make its partitions ready. In a graph the node
  /// of the start ends then, so that kernels that come after it can do so. `Prepared::waitOn` lets
  /// a stream, or a graph that is captured, wait for the end of the iteration.
  Begun,
};

/// One end of a transfer that is prepared once and then done again and again between the same two
/// buffers: `Endpoint::prepareSend` at one end, `Endpoint::prepareRecv` at the other. What the two
/// ends must agree upon (buffers, sizes, the way of the bytes) is settled once. `start` begins an
/// iteration at its end; what MPI calls a persistent request, with several partitions a partitioned
/// one (MPI_Send_init, MPI_Psend_init).
///
/// Neither end waits for the other in `prepare...` or `start`. The ends find each other by endpoint
/// and tag, first prepared with first prepared; other messages of that tag have nothing to do with
/// it. The bytes must be equally many at both ends, else both plans fail with INVALID_PARAM.
///
/// The fastest way is taken where both processes are on one machine and the receiver's buffer is
/// memory of the library (of a `MemoryHandle`, or a `HostBuffer` of more than 16 KiB): up to 256
/// KiB are copied into it by the thread that calls `ready`, without a message. All else goes as
/// messages do.
///
/// A peer takes up to 16,384 prepared sends that have not closed; one more fails with
/// EXCEEDS_LIMIT.
///
/// Owner: the caller; the buffers stay the caller's, and must live until `close` has ended. A plan
/// that is dropped closes, but nobody tells when its buffer is free again. A plan keeps its
/// endpoint.
/// Threads: `start` and `close` one at a time; all else any, at once. With
/// `WorkerOptions::single_thread` that of the worker.
class UCXX_PUBLIC Prepared : public Component {
 public:
  ~Prepared() override;

  /// Begins the next iteration. The receiver's: its buffer may be written from now on. The
  /// sender's: partitions may be made ready; of a plan with a single partition that one is ready at
  /// once. `InvalidParamError` while an iteration is in progress. On a plan that has failed, the
  /// iteration has failed at once.
  void start();
  /// Begins an iteration each time that `condition` is triggered, as other transfers start: after
  /// the one before it has ended, if that is in progress then. The request ends with the iteration,
  /// or as the condition says; once the iteration has begun, `cancel` does not end it. All else
  /// here (`wait`, `request`, `isCompleted`) tells of iterations that have begun, and `start()` is
  /// an `InvalidParamError` before all starts that were posted have ended with their iterations.
  /// Throws as builders do with a condition.
  std::shared_ptr<Request> start(const Condition& condition,
                                 RequestCallbackUserFunction callbackFunction = nullptr,
                                 RequestCallbackUserData callbackData = nullptr);
  /// The same, of which the request ends when `until` says. With `Begun` a `cancel` after that does
  /// nothing, and the iteration goes on whatever becomes of the request.
  std::shared_ptr<Request> start(const Condition& condition, StartUntil until,
                                 RequestCallbackUserFunction callbackFunction = nullptr,
                                 RequestCallbackUserData callbackData = nullptr);
  /// `start(Condition::stream(stream), until)`: the next iteration begins when the stream gets
  /// there; in a capture, each time that the graph gets there. What comes after the node of a graph
  /// waits for the node: partitions that are made ready there need `StartUntil::Begun`. With
  /// `Ended` the node ends with the iteration, and they are made ready in it (`readyOn` right after
  /// this), or before it.
  std::shared_ptr<Request> startOn(CUstream_st* stream, StartUntil until = StartUntil::Ended);
  /// `stream` waits until the iteration has ended that was started last, in whatever way, or whose
  /// start was posted last; as `Request::waitOn`. Of a start whose condition repeats it is the
  /// iteration that is in progress when the stream gets there; in a capture that is so in each
  /// launch, by a node of its own unless that of the start ends with the iteration.
  void waitOn(CUstream_st* stream, bool caller_progresses = false);
  /// For kernels of the device that is current at the first call, in memory of the device: they
  /// call `ready`, `arrived`, `test` and `wait` of `ucxx/cuda/device.h` with it. From the first
  /// call on, which comes before the first start, kernels make the partitions of a send ready (a
  /// single one, too), and `PreparedSend::ready` is refused. The iteration is begun by any start;
  /// what a kernel makes ready before that leaves then.
  ///
  /// Keep the plan until the kernels have ended that were given the handle: the next plan may get
  /// it. Buffer and progress thread as for `Condition::kernel`. Throws likewise, and
  /// `InvalidParamError`: an iteration of a send has begun. Waits for the loop. Owner: the plan.
  device::Prepared* deviceHandle(bool caller_progresses = false);
  /// True when no iteration is in progress. If `getStatus` is OK then, the sender may change its
  /// buffer, and the receiver has all partitions. After a failure the buffer is free when `close`
  /// has ended, and no sooner.
  bool isCompleted() const noexcept;
  /// Of the last iteration: `UCS_INPROGRESS` until it has ended. Before the first one: OK, or what
  /// the plan has failed with. CANCELED: closed at this end; CONNECTION_RESET: at the other.
  ucs_status_t getStatus() const noexcept;
  /// Throws the class of that status, with the reason; nothing while in progress.
  void checkError() const;
  /// Waits until the iteration has ended, as `Request::wait` does; if another one is started
  /// meanwhile, perhaps for that one. False: the time was up. A negative timeout waits for ever.
  /// Not from callbacks.
  bool wait(std::chrono::nanoseconds timeout = std::chrono::nanoseconds{-1});
  /// A request that ends with this iteration: for callbacks, coroutines, event loops. To cancel it
  /// ends the request, not the iteration.
  std::shared_ptr<Request> request(RequestCallbackUserFunction callbackFunction = nullptr,
                                   RequestCallbackUserData callbackData = nullptr);
  /// Ends the plan: an iteration in progress ends with CANCELED, and the other end's with
  /// CONNECTION_RESET. The request ends when nobody touches the buffer any more: when the peer has
  /// answered, has left the link, or has ended. It cannot be cancelled. CANCELED: the worker was
  /// closed before that, and the peer may still write to the buffer. May be called several times.
  std::shared_ptr<Request> close(RequestCallbackUserFunction callbackFunction = nullptr,
                                 RequestCallbackUserData callbackData = nullptr);

  std::size_t bytes() const noexcept;
  std::size_t partitions() const noexcept;
  /// How many iterations have been started.
  std::uint64_t iterations() const noexcept;
  /// For people: "prepared send, 4096 bytes in 16 partitions, tag 0x7, iteration 3: ...".
  std::string describe() const;
  /// How the bytes of one partition go to the other end now, and why. Waits for the loop, as
  /// `Worker::describe`.
  Explanation explain() const;

 protected:
  Prepared(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<core::Plan> plan);
  std::shared_ptr<Request> readyWith(const Condition& condition, std::size_t first,
                                     std::size_t last);

 private:
  friend bool waitAll(const std::vector<std::shared_ptr<Prepared>>& plans,
                      std::chrono::nanoseconds timeout);
  friend class core::PreparedGroups;

  const std::shared_ptr<Endpoint> endpoint_;
  const std::shared_ptr<core::Plan> plan_;
  std::mutex mutex_;
  // Of the start that was posted last; null: `start()` was called. What ends with the iteration,
  // or, if the condition repeats, with the condition; and what partitions know of it.
  std::shared_ptr<Request> posted_;
  std::shared_ptr<const core::PostedStart> posted_start_;
};

/// The sender's end of a prepared transfer.
class UCXX_PUBLIC PreparedSend final : public Prepared {
 public:
  PreparedSend(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<core::SendPlan> plan);

  /// The bytes of `partition` are there and may leave: exactly once in each iteration, in any
  /// order, from any thread. `InvalidParamError` when there is no such partition, when no iteration
  /// has been started, or when it was made ready before. Does nothing on a plan that has failed.
  void ready(std::size_t partition);
  /// The same for all from `first` up to, but without, `last`: they leave together.
  void ready(std::size_t first, std::size_t last);
  /// The same for all of them.
  void ready();
  /// The same, each time that `condition` is triggered, as for `Prepared::start`: after all starts
  /// of this plan that were triggered before have begun. A start whose condition repeats, with
  /// `StartUntil::Ended`, comes to the plan when the iteration before has ended: trigger the next
  /// partitions after that. A thread triggers them when those before are ready (`epoch`), since two
  /// triggers that come at once are both taken before the next start. The request ends when it is
  /// done. What is wrong only then (a partition that was made ready before, no iteration in
  /// progress) ends the plan with INVALID_PARAM. Partitions are of the start that was posted last
  /// before, if `start()` was not called since: if that ends without having begun (it is cancelled,
  /// say), this ends with CANCELED, and makes nothing ready.
  std::shared_ptr<Request> ready(const Condition& condition, std::size_t first, std::size_t last);
  /// `ready(Condition::stream(stream), ...)`: when the stream gets there.
  std::shared_ptr<Request> readyOn(CUstream_st* stream, std::size_t first, std::size_t last);
  /// The same for all of them.
  std::shared_ptr<Request> readyOn(CUstream_st* stream);

 private:
  core::SendPlan* const send_;  // the base's
};

/// The receiver's end of a prepared transfer.
class UCXX_PUBLIC PreparedRecv final : public Prepared {
 public:
  PreparedRecv(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<core::RecvPlan> plan);

  /// Whether the bytes of `partition` of this iteration are in the buffer. Does not move the
  /// worker. `InvalidParamError` when there is no such partition.
  bool arrived(std::size_t partition) const;

 private:
  core::RecvPlan* const receive_;  // the base's
};

/// Starts each of them, in this order; one that cannot be started throws, and those before it have
/// been. `InvalidParamError` for a null, before anything is started.
UCXX_PUBLIC void startAll(const std::vector<std::shared_ptr<Prepared>>& plans);
/// `Prepared::start(condition, until)` of all of them by one post: one trigger starts them, in this
/// order, it is one mark in a stream or one node of a graph, and one request ends when all have
/// ended, or begun, with the status of the first that fails. `request->waitOn(stream)` is one wait
/// for all of them. Each plan is afterwards as after a start of its own.
///
/// A cancel before the trigger takes all of them back; later it takes back those whose iterations
/// have not begun, and the request ends with CANCELED when the others are done. If all plans are of
/// one endpoint, the close or failure of that ends an armed request at once. Else nothing of a
/// single endpoint or plan does: at the trigger what cannot begin fails, and the others begin. If
/// the condition repeats, the first failure ends the request, and none of its plans begins again.
///
/// Throws as `Prepared::start`; `InvalidParamError`, and nothing is started: `plans` is empty, one
/// is null, twice in it, or of another worker than the first.
UCXX_PUBLIC std::shared_ptr<Request> startAll(
    const Condition& condition, const std::vector<std::shared_ptr<Prepared>>& plans,
    StartUntil until = StartUntil::Ended, RequestCallbackUserFunction callbackFunction = nullptr,
    RequestCallbackUserData callbackData = nullptr);
/// `Prepared::waitOn` of all of them, which are of one worker: one wait of the stream for those
/// that were started by threads or once, one for those whose condition repeats; in a capture one
/// node. Throws as that and as `startAll`.
UCXX_PUBLIC void waitAllOn(CUstream_st* stream, const std::vector<std::shared_ptr<Prepared>>& plans,
                           bool caller_progresses = false);
/// Waits until the iterations of all have ended, with success or without, and moves the workers of
/// all that have no progress thread. False: the time was up before. A negative timeout waits for
/// ever. `InvalidParamError` for a null.
UCXX_PUBLIC bool waitAll(const std::vector<std::shared_ptr<Prepared>>& plans,
                         std::chrono::nanoseconds timeout = std::chrono::nanoseconds{-1});

}  // namespace ucxx
