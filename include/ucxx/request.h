// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include <ucp/api/ucp.h>

#include <ucxx/component.h>
#include <ucxx/export.h>
#include <ucxx/typedefs.h>

struct CUstream_st;  // what cudaStream_t and CUstream point to

namespace ucxx {

namespace core {
struct Operation;
class Continuations;
}  // namespace core

struct RequestAttributes {
  ucs_memory_type_t memoryType = UCS_MEMORY_TYPE_UNKNOWN;
  std::string
      debugString;  ///< "tag send, length 8, host, ucp rendezvous": for people, no format promised
};

/// What goes on when a request has ended: see `Request::attach`. Coroutines have theirs
/// (`ucxx/coroutine.h`).
class UCXX_PUBLIC Continuation {
 public:
  /// The request has ended: once, on the thread that moves its worker (it progresses, or posts
  /// something), after the request's callback and under the same rules. May destroy this object
  /// and drop the request. What it throws is logged.
  virtual void onEnd() = 0;

 protected:
  Continuation() = default;
  virtual ~Continuation() = default;
  Continuation(const Continuation&) = delete;
  Continuation& operator=(const Continuation&) = delete;

 private:
  friend core::Continuations;
  Continuation* next_ = nullptr;
};

/// One transfer. Owner: shared between the user and, until it ends, the worker: dropping it neither
/// cancels nor silences it. The user's buffer belongs to it until it has ended: with success, error
/// or cancel alike. Threads: any, at once.
class UCXX_PUBLIC Request : public Component {
 public:
  ~Request() override;

  /// True once ended; on other threads only after the callback has returned, inside it already.
  bool isCompleted() const noexcept;
  /// `UCS_INPROGRESS` until ended.
  ucs_status_t getStatus() const noexcept;
  /// What it moves, for people: "tag send, 8 bytes, tag 0x2". What ended in its call may share its
  /// request with others, which only tells its kind: "tag send".
  std::string describe() const;
  /// Throws the class of the status when ended with an error; nothing when in progress.
  void checkError() const;
  /// Asks the worker to end it with CANCELED. Does nothing to a request that has ended: what a
  /// receive has received by then is the caller's, or goes back by `giveBack`. `std::bad_alloc`:
  /// there is no memory to ask with, and nothing was asked. When it ends:
  /// - Receives that have not matched a message, flushes, gets and atomic operations: at once (in
  ///   `progress` when another thread owns the worker).
  /// - A stream receive that has a part of its bytes: at once; they go back to the stream.
  /// - A put: when the part that has begun has left.
  /// - A send of which only an announcement has left: at once to a peer on this machine, over TCP
  ///   when the peer has answered, or has said nothing for `WorkerOptions::close_timeout`. It is
  ///   never received: a receive that had matched it goes on waiting (one by a probe's handle:
  ///   CANCELED). An empty send ends when the peer has answered.
  /// - A send or receive whose payload moves, a receive whose bytes a device copies, and a send
  ///   that UCX announces (device memory and other transports than TCP, to another machine): by
  ///   itself, as if nobody had asked.
  void cancel();
  /// Tells that the caller will not look at how it ends, though it keeps a reference: as if the
  /// last reference were dropped. `Endpoint::close` then reports the send if it is lost.
  void forget() noexcept;
  /// Gives back the message of this receive, as if it had never been taken. A receive in progress
  /// is cancelled, and if its payload moves already, the message goes back when it has come: a tag
  /// or active-message receive that is posted before that may get a later message. A receive that
  /// has ended with success gives its message back now. Its status is CANCELED then,
  /// and the buffer, from which the bytes were copied, is the caller's. A callback may have been
  /// told of the success before.
  ///
  /// The message is at its old place in the order of arrival, also when its peer has gone: the
  /// oldest receive that waits for it gets it, else probes see it. A message that was received by a
  /// probe's handle can be probed again. Buffers of the library are handed on: `getRecvBuffer` is
  /// null, multi-buffer requests are empty, and the caller must not touch what it got from them.
  /// Bytes of a stream go back to its front; if a later receive has taken the bytes that follow,
  /// and is not given back as well, the next receive on it ends its endpoint with CONNECTION_RESET.
  /// On an endpoint that this side has closed, active messages and streams are dropped.
  ///
  /// What has come straight into memory of a device, and what has ended there, does not go back:
  /// the log says so, and it stays with its receive. (Python's receives keep what has landed until
  /// they have their result.)
  ///
  /// False: there is nothing to give back. It is not a receive, has failed, was given back, was for
  /// a registered receiver, or its condition repeats. `std::bad_alloc`: there is no memory for the
  /// message, and nothing has changed; if that shows later, the receive ends with success.
  bool giveBack();
  /// The caller does not give the message back any more. For callers that are part of the library,
  /// whose receives into memory of a device keep the memory from which it has landed until then.
  void takeMessage() noexcept;
  /// Waits until ended, progressing the worker when no progress thread does; it sleeps when nothing
  /// happens for a while, or others want the core. (Where a peer is met by UCX without
  /// `UCP_FEATURE_WAKEUP`, only while a payload moves inside the machine, for 200 us at a time.)
  /// False: the time was up. A negative timeout waits for ever. Not from callbacks.
  bool wait(std::chrono::nanoseconds timeout = std::chrono::nanoseconds{-1});

  /// Lets `stream`, a stream of CUDA, wait until it has ended, with success or without: what is put
  /// into the stream afterwards comes after the end. The caller goes on at once. The request may be
  /// dropped. Does nothing when it has ended. A slow callback holds the stream up: it comes before.
  /// Any request, with a condition or without; of a condition that repeats when that is over.
  ///
  /// While the stream waits, something has to move the worker: a progress thread, else the caller,
  /// who says so by `caller_progresses` and does not wait for the stream meanwhile. Seven streams
  /// may wait at a time; more need `CUDA_DEVICE_MAX_CONNECTIONS`, up to 32, before CUDA is first
  /// used.
  ///
  /// In a capture the post has made a node that ends with the transfer, and this lets `stream` come
  /// after it, and later posts after this; a request that was not posted in the same capture is an
  /// `UnsupportedError`. Outside of captures the request of a graph is an `InvalidParamError`.
  ///
  /// Throws as `Condition::stream`, `InvalidParamError` for a worker without a progress thread, and
  /// `NoResourceError` when 4096 streams, requests and conditions wait; nothing has happened then.
  void waitOn(CUstream_st* stream, bool caller_progresses = false);

  /// Calls `continuation` when it has ended; there may be several, called in no promised order.
  /// False: it has ended already, nobody is called. True: it may have been called by now. The
  /// caller keeps `continuation`, and holds the request, until the call. Throws `Error` in a forked
  /// child.
  bool attach(Continuation& continuation);
  /// Takes it back, if it was not called. Only on the thread that moves the worker, or while none
  /// does; whoever posts to it, cancels or closes moves it, too.
  void detach(Continuation& continuation) noexcept;

  /// Active-message receives: the message, null before success. `std::runtime_error` on an
  /// active-message send, null on other requests.
  virtual std::shared_ptr<Buffer> getRecvBuffer();
  /// Active-message receives: the user header, or empty.
  virtual std::string getRecvHeader();
  /// Bytes received (receives that ended), of a truncated one the bytes that were sent.
  std::size_t getReceivedLength() const noexcept;
  /// Tag receives that ended: the tag they matched.
  Tag getSenderTag() const noexcept;
  /// Needs `WorkerOptions::request_attributes`, else `UnsupportedError`. Also of a request that
  /// ended in its call.
  RequestAttributes queryAttributes() const;

  core::Operation& operation() const noexcept { return *operation_; }

 protected:
  Request(std::shared_ptr<Component> parent, core::Operation& operation)
      : Component(std::move(parent)), operation_(&operation) {}

 private:
  [[noreturn]] void throwError(ucs_status_t status) const;

  core::Operation* const operation_;
};

}  // namespace ucxx
