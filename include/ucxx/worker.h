// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#include <ucp/api/ucp.h>

#include <ucxx/address.h>
#include <ucxx/address_builder.h>
#include <ucxx/buffer.h>
#include <ucxx/component.h>
#include <ucxx/context.h>
#include <ucxx/endpoint_builder.h>
#include <ucxx/export.h>
#include <ucxx/listener_builder.h>
#include <ucxx/options.h>
#include <ucxx/report.h>
#include <ucxx/request_flush_builder.h>
#include <ucxx/request_tag_builder.h>
#include <ucxx/stats.h>
#include <ucxx/tag_probe.h>
#include <ucxx/typedefs.h>
#include <ucxx/ucp_calls.h>

namespace ucxx {

namespace core {
class Loop;
struct Posting;
}  // namespace core

struct WorkerAttributes {
  ucs_thread_mode_t threadMode = UCS_THREAD_MODE_SINGLE;
  /// UCX may take less than the local channel: it shrinks when UCX starts. What was accepted before
  /// and does not fit ends with EXCEEDS_LIMIT.
  std::size_t maxAmHeader = 0;
  std::string name;
  std::size_t maxDebugString = 0;
};

/// The loop that moves everything: requests, endpoints and listeners made from it progress with it.
/// Owner: whoever made it, and everything made from it. Threads: any may call anything. One thread
/// at a time owns the loop: the progress thread, or, without one, whoever calls `progress` or
/// posts; posts of the others queue and are submitted by the owner. Dropping the last reference
/// stops the progress thread, ends open endpoints and cancels what is pending; it does not wait for
/// peers.
class UCXX_PUBLIC Worker : public Component, public std::enable_shared_from_this<Worker> {
 public:
  ~Worker() override;

  /// UCX's worker and what it tells about itself; both make it when nothing has needed it so far.
  /// Throw what UCX says, and `UnsupportedError` with `UCXX_LOCAL=only`.
  ucp_worker_h getHandle() const;
  std::string getInfo() const;
  /// Opens the worker's door (once) and says where it is.
  std::shared_ptr<Address> getAddress();

  /// @name Progress. `true`: something moved. False, too, when another thread owns the loop.
  /// @{
  /// Rounds until nothing moves, a request has ended or a large payload is copied; 4096 at most. It
  /// never sleeps: in a loop on a core that others want, call `progressWorkerEvent` instead.
  bool progress();
  /// One round.
  bool progressOnce();
  /// `progress`; if nothing moved and `initBlockingProgressMode` was called, sleeps until an event,
  /// `signal` or the time is up (-1: no limit) and returns false: call again to see what came. A
  /// request that has ended counts as moved once, also when it ended in its own call (the last
  /// 65,536 of them); not so put, get and atomics that ended in their own call, on mapped memory.
  /// Without `initBlockingProgressMode` it sleeps only while looks are in vain and others want the
  /// core, or a payload is under way that a peer has to move: 50 ms at most, or the time given.
  bool progressWorkerEvent(int epollTimeout = -1);
  /// Sleeps until an event, unless a request has ended meanwhile, then progresses.
  bool waitProgress();
  /// Ready to sleep on `getEpollFileDescriptor`; false: there is work, progress first. For the only
  /// thread that progresses this worker: others take what it waits for from the descriptor.
  bool arm();
  /// Wakes whoever sleeps on this worker. Any thread, and signal handlers.
  void signal();
  /// Throws `UnsupportedError` without `UCP_FEATURE_WAKEUP`.
  void initBlockingProgressMode();
  /// Readable when the worker has work: after `arm()` returned true. Edge: drain, arm, wait.
  int getEpollFileDescriptor();
  /// @}

  /// @name Progress thread. Starting twice and stopping without one are no-ops. `epollTimeout` is
  /// accepted and ignored: whatever needs the thread wakes it. Do not stop it while a stream, graph
  /// or kernel of CUDA waits for a transfer of the worker: it would wait until somebody progresses.
  /// @{
  void startProgressThread(bool pollingMode = false, int epollTimeout = 1);
  void startProgressThread(const ProgressOptions& options);
  void stopProgressThread();
  bool isProgressThreadRunning() const noexcept;
  std::thread::id getProgressThreadId() const noexcept;
  /// Runs first on each new progress thread.
  void setProgressThreadStartCallback(std::function<void(void*)> callback, void* callbackArg);
  /// Runs `callback` once on the progress thread, before (Pre) or after (Post) it progresses, and
  /// waits for its end: `period` nanoseconds (0: for ever). False: it timed out and will not run.
  /// Once it runs it is waited for, with a warning every ten periods (0: every ten seconds).
  /// Inline when called on that thread. Without a progress thread it waits for one.
  bool registerGenericPre(DelayedSubmissionCallbackType callback, std::uint64_t period = 0);
  bool registerGenericPost(DelayedSubmissionCallbackType callback, std::uint64_t period = 0);
  /// @}

  /// @name Meeting peers
  /// @{
  /// How long a connect may take; none: `WorkerOptions::connect_timeout`. A negative one throws
  /// `InvalidParamError`. Endpoints that call the same peer share a call, each with its own limit.
  using ConnectTimeout = std::optional<std::chrono::milliseconds>;
  /// Returns at once; failure comes through the close callback and the requests. An unresolvable
  /// name throws `Error`. With `UCXX_LOCAL=only`, a host that is not this machine throws
  /// `UnreachableError`; so does a worker that is not, or that has no local channel.
  std::shared_ptr<Endpoint> createEndpointFromHostname(
      std::string ipAddress, std::uint16_t port, bool endpointErrorHandling = true,
      ConnectTimeout connectTimeout = std::nullopt);
  /// Two workers that do this with each other's address share the pair of endpoints. Bytes that are
  /// no address throw `InvalidAddrError`.
  std::shared_ptr<Endpoint> createEndpointFromWorkerAddress(
      std::shared_ptr<Address> address, bool endpointErrorHandling = true,
      ConnectTimeout connectTimeout = std::nullopt);
  /// Listens at `port` (0: any free one) of `host` (empty: all interfaces). `callback` runs on the
  /// progressing thread; it answers with `Listener::createEndpointFromConnRequest` or `reject`, at
  /// once or later. Throws `Error` naming the address when it cannot be bound. With
  /// `UCXX_LOCAL=only` no TCP port is opened: the port is a name (an abstract Unix socket) that
  /// workers of that mode call, of this network namespace and user. Other users can take the name
  /// before (`BusyError`), but neither side talks to them.
  std::shared_ptr<Listener> createListener(std::uint16_t port,
                                           ucp_listener_conn_callback_t callback,
                                           void* callbackArgs, const std::string& host = {},
                                           int backlog = 1024);
  /// @}

  /// @name Transfers that are bound to no endpoint
  /// @{
  /// Looks, without progressing, for the oldest unexpected message that matches; `remove` takes it
  /// out for `tagRecvWithHandle`. Never null. A multi-buffer message is found where no other one
  /// matches, and without `remove`; its length is then that of what tells of its buffers.
  std::shared_ptr<TagProbeInfo> tagProbe(AnyTag tag, AnyTagMask tagMask = TagMaskFull,
                                         bool remove = false);
  std::shared_ptr<Request> tagRecv(void* buffer, std::size_t length, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull,
                                   bool enablePythonFuture = false);
  std::shared_ptr<Request> tagRecv(void* buffer, std::size_t length, AnyTag tag, AnyTagMask tagMask,
                                   bool enablePythonFuture,
                                   RequestCallbackUserFunction callbackFunction,
                                   RequestCallbackUserData callbackData = nullptr);
  /// Into several blocks, as `Endpoint::tagRecv`.
  std::shared_ptr<Request> tagRecv(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull,
                                   bool enablePythonFuture = false,
                                   RequestCallbackUserFunction callbackFunction = nullptr,
                                   RequestCallbackUserData callbackData = nullptr);
  /// Receives a message that `tagProbe(..., remove = true)` found, and consumes it. It ends with
  /// CANCELED if the send was cancelled meanwhile.
  std::shared_ptr<Request> tagRecvWithHandle(void* buffer, std::shared_ptr<TagProbeInfo> probeInfo,
                                             bool enablePythonFuture = false,
                                             RequestCallbackUserFunction callbackFunction = nullptr,
                                             RequestCallbackUserData callbackData = nullptr);
  /// Ends when all sends posted before it are with their receivers; with CANCELED when an endpoint
  /// was closed before that.
  std::shared_ptr<Request> flush(bool enablePythonFuture = false,
                                 RequestCallbackUserFunction callbackFunction = nullptr,
                                 RequestCallbackUserData callbackData = nullptr);
  /// True when an active message of that endpoint (`Endpoint::getHandle`) waits for an `amRecv`.
  bool amProbe(ucp_ep_h endpointHandle) const;
  void registerAmAllocator(ucs_memory_type_t memoryType, AmAllocatorType allocator);
  /// `std::runtime_error` for a pair that is taken or an owner "ucxx".
  void registerAmReceiverCallback(AmReceiverCallbackInfo info, AmReceiverCallbackType callback);
  /// @}

  /// Cancels requests of endpoints that failed and are still open; returns how many. (`period` and
  /// `maxAttempts` are accepted; nothing here waits.)
  std::size_t cancelInflightRequests(std::uint64_t period = 0, std::uint64_t maxAttempts = 1);

  bool isDelayedRequestSubmissionEnabled() const noexcept;
  bool isFutureEnabled() const noexcept;
  bool isRequestAttributesEnabled() const noexcept;
  BufferType getCudaBufferType() const noexcept;
  WorkerAttributes queryAttributes() const;

  /// @name What happens
  /// @{
  WorkerStats stats() const;
  /// Peers, channels, endpoints and what is pending since when, as text for people.
  std::string describe();
  /// What `describe` says, then what is pending, the oldest first, and the last 256 operations that
  /// have ended, with status and time, by the loop's clock, whose ticks may be 10 ms apart. Not
  /// among them: what ended in the call that posted it. All three wait for the loop:
  /// `TimedOutError` when no thread lets them in for a minute.
  std::string dump();
  /// What `dump` says, as data for programs.
  WorkerReport report();
  /// @}

  /// Warns in the log of all sends that their receivers have not taken: for a process that ends
  /// without closing its endpoints. Does nothing while another thread moves the worker.
  void warnOfUntaken();
  /// Ends the conditions of streams, graphs and kernels, as the end of the worker does: what waits
  /// for a trigger is CANCELED, and no device waits for it. For a process that ends while others
  /// keep the worker. Where another thread moves the worker, that thread does it, later. Without a
  /// progress thread no device waits for what has started either, whose buffers may still be used.
  void endDeviceConditions();

  AddressBuilder addressBuilder();
  EndpointBuilder endpointBuilder(const std::string& ipAddress, std::uint16_t port);
  EndpointBuilder endpointBuilder(std::shared_ptr<Address> address);
  ListenerBuilder listenerBuilder(std::uint16_t port, ucp_listener_conn_callback_t callback,
                                  void* callbackArgs);
  RequestTagBuilder tagRecvBuilder(void* buffer, std::size_t length, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull);
  RequestTagBuilder tagRecvBuilder(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull);
  RequestTagBuilder tagRecvWithHandleBuilder(void* buffer, std::shared_ptr<TagProbeInfo> probeInfo);
  RequestTagBuilder tagRecvWithHandleBuilder(void* buffer, std::size_t length,
                                             std::shared_ptr<TagProbeInfo> probeInfo);
  RequestFlushBuilder flushBuilder();

  core::Loop& loop() const noexcept { return *loop_; }

 private:
  friend RequestFlushBuilder;
  friend RequestTagBuilder;
  std::shared_ptr<Request> postTagRecv(void* buffer, std::size_t length, Tag tag, TagMask mask,
                                       const core::Posting& posting);
  std::shared_ptr<Request> postTagRecv(std::vector<ucp_dt_iov_t>&& iov, Tag tag, TagMask mask,
                                       const core::Posting& posting);
  std::shared_ptr<Request> postFlush(const core::Posting& posting);
  friend UCXX_PUBLIC std::shared_ptr<Worker> createWorker(std::shared_ptr<Context>,
                                                          const WorkerOptions&);
  Worker(std::shared_ptr<Context> context, const WorkerOptions& options);
  std::unique_ptr<core::Loop> loop_;
};

UCXX_PUBLIC std::shared_ptr<Worker> createWorker(std::shared_ptr<Context> context,
                                                 bool enableDelayedSubmission = false,
                                                 bool enableFuture = false);
UCXX_PUBLIC std::shared_ptr<Worker> createWorker(std::shared_ptr<Context> context,
                                                 const WorkerOptions& options);

}  // namespace ucxx
