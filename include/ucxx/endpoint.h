// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ucp/api/ucp.h>

#include <ucxx/am_types.h>
#include <ucxx/atomic_operation.h>
#include <ucxx/component.h>
#include <ucxx/endpoint_builder.h>
#include <ucxx/explanation.h>
#include <ucxx/export.h>
#include <ucxx/prepared.h>
#include <ucxx/remote_key_builder.h>
#include <ucxx/request.h>
#include <ucxx/request_am_builder.h>
#include <ucxx/request_atomic_builder.h>
#include <ucxx/request_endpoint_close_builder.h>
#include <ucxx/request_flush_builder.h>
#include <ucxx/request_mem_builder.h>
#include <ucxx/request_stream_builder.h>
#include <ucxx/request_tag_builder.h>
#include <ucxx/request_tag_multi_builder.h>
#include <ucxx/typedefs.h>
#include <ucxx/ucp_calls.h>

namespace ucxx {

namespace core {
class EndpointState;
enum class OperationKind : std::uint8_t;
struct Posting;
}  // namespace core

/// One transport that an endpoint uses.
struct TransportInfo {
  std::string transport;  ///< "self", "local", or UCX's: "tcp", ...
  std::string device;     ///< "eth0", "memory", ...
};

/// Tags that only the two ends of a pair have: each sends with the one and receives with the other.
struct PairTags {
  Tag send;
  Tag receive;
};

/// One end of a pair; the other end is the peer's endpoint. Owner: whoever made it, and its
/// requests. Threads: any. Dropping it is a graceful `close()` that nobody waits for: sends go out,
/// receives posted through it end with CANCELED.
///
/// All transfers return a request, never null; wrong arguments throw in the call, later failures
/// end the request. Buffers belong to the request until it has ended. After `close` a transfer
/// throws `Error`; after a failure of the peer its request ends with that status.
///
/// A send that ends inside its call may share its request with others of its kind: it has no parent
/// and no owner, two calls may return the same pointer, and a `std::weak_ptr` of it is expired. Its
/// callback has been called by then.
class UCXX_PUBLIC Endpoint : public Component, public std::enable_shared_from_this<Endpoint> {
 public:
  ~Endpoint() override;

  /// A unique opaque key, the same that active-message callbacks are given; null after close. Not
  /// UCX's own: see `nativeHandle`, and `ucxx/ucp_calls.h`.
  ucp_ep_h getHandle() const noexcept;
  /// UCX's endpoint, which all endpoints between two workers share; null without connection, and
  /// where UCX has no part in it: inside a machine, and to the own worker.
  ucp_ep_h nativeHandle() const;
  std::shared_ptr<Worker> getWorker() const noexcept { return worker_; }

  /// False once closed or failed; always true when made without error handling.
  bool isAlive() const noexcept;
  /// True once the peer has accepted it, also after its end.
  bool hasConnected() const noexcept;
  /// Throws the class of the peer's failure; silent without error handling.
  void raiseOnError() const;
  /// Called at most once: at the peer's failure, the end of `close`, or the destructor; at once, in
  /// this call or by the progress thread, when that has been. `nullptr, nullptr` clears it;
  /// `std::runtime_error` for a callback with data once the endpoint closes.
  void setCloseCallback(EndpointCloseCallbackUserFunction callback,
                        EndpointCloseCallbackUserData data);

  /// @name Tag transfers
  /// `tagRecv` matches any peer of the worker: tags and masks alone decide. It is bound to this
  /// endpoint only in that it ends when the endpoint closes or fails; posted after the peer has
  /// closed or gone, it still takes what came before. A shorter message is fine
  /// (`getReceivedLength`); a longer one ends it with MESSAGE_TRUNCATED, nothing written past
  /// `length`.
  /// @{
  std::shared_ptr<Request> tagSend(const void* buffer, std::size_t length, AnyTag tag,
                                   bool enablePythonFuture = false);
  std::shared_ptr<Request> tagSend(const void* buffer, std::size_t length, AnyTag tag,
                                   bool enablePythonFuture,
                                   RequestCallbackUserFunction callbackFunction,
                                   RequestCallbackUserData callbackData = nullptr);
  std::shared_ptr<Request> tagRecv(void* buffer, std::size_t length, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull,
                                   bool enablePythonFuture = false);
  std::shared_ptr<Request> tagRecv(void* buffer, std::size_t length, AnyTag tag, AnyTagMask tagMask,
                                   bool enablePythonFuture,
                                   RequestCallbackUserFunction callbackFunction,
                                   RequestCallbackUserData callbackData = nullptr);
  /// Several blocks of host memory as one message (which are not written to), and a message into
  /// several blocks, filled in their order when it is whole, for which the library needs as
  /// much memory. The list is copied; the blocks belong to the request. An empty list, or a null
  /// block with a length: `std::runtime_error`; a send of memory of a device: `UnsupportedError`.
  std::shared_ptr<Request> tagSend(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                   bool enablePythonFuture = false,
                                   RequestCallbackUserFunction callbackFunction = nullptr,
                                   RequestCallbackUserData callbackData = nullptr);
  std::shared_ptr<Request> tagRecv(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull,
                                   bool enablePythonFuture = false,
                                   RequestCallbackUserFunction callbackFunction = nullptr,
                                   RequestCallbackUserData callbackData = nullptr);
  /// Synchronous mode: ends when the peer has matched it, whatever its size: by a receive, or by a
  /// probe that removed it and was dropped; with an error when the peer goes before. Until then it
  /// is one of the peer's `WorkerOptions::announcements`. `Request::cancel` says when it can be
  /// cancelled, like any large send.
  std::shared_ptr<Request> tagSendSync(const void* buffer, std::size_t length, AnyTag tag,
                                       bool enablePythonFuture = false,
                                       RequestCallbackUserFunction callbackFunction = nullptr,
                                       RequestCallbackUserData callbackData = nullptr);
  std::shared_ptr<Request> tagSendSync(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                       bool enablePythonFuture = false,
                                       RequestCallbackUserFunction callbackFunction = nullptr,
                                       RequestCallbackUserData callbackData = nullptr);
  /// Several buffers as one message; the receiver needs no sizes. `isCUDA[i]` non-zero: device
  /// memory. Vectors of unequal length throw `std::runtime_error`.
  std::shared_ptr<Request> tagMultiSend(const std::vector<const void*>& buffers,
                                        const std::vector<std::size_t>& sizes,
                                        const std::vector<int>& isCUDA, AnyTag tag,
                                        bool enablePythonFuture = false);
  /// Takes the buffers of older programs, whose pointers are not const.
  template <class Pointer, std::enable_if_t<std::is_same_v<Pointer, void*>, int> = 0>
  std::shared_ptr<Request> tagMultiSend(const std::vector<Pointer>& buffers,
                                        const std::vector<std::size_t>& sizes,
                                        const std::vector<int>& isCUDA, AnyTag tag,
                                        bool enablePythonFuture = false) {
    return tagMultiSend(std::vector<const void*>(buffers.begin(), buffers.end()), sizes, isCUDA,
                        tag, enablePythonFuture);
  }
  /// Receives what a `tagMultiSend` sent; the frames are in `RequestTagMulti::_bufferRequests`.
  std::shared_ptr<Request> tagMultiRecv(AnyTag tag, AnyTagMask tagMask,
                                        bool enablePythonFuture = false);
  /// A standing receive: from now on each message that the peer's endpoint sends by `tagMultiSend`
  /// is taken into memory as it comes, before anybody receives it, so that its send ends without
  /// this program's doing. So many bytes are held at a time, and one message of any size while
  /// none is held; what is beyond stays with its sender until it is received, or there is room.
  /// What its sender has credit for does not count (`WorkerOptions::unexpected_bytes`). Never
  /// taken: device memory. Receives take what is held as ever; what is still held, or comes, when
  /// this side closes the endpoint, is dropped. An allocator for frames is called in any call that
  /// moves the worker, this one, too. 0: no more is taken, what is held stays. Does nothing on an
  /// endpoint that is closed.
  void receiveAhead(std::size_t bytes);
  /// @}

  /// @name Active messages: each is for the peer endpoint alone
  /// @{
  std::shared_ptr<Request> amSend(
      const void* buffer, std::size_t length, ucs_memory_type_t memoryType,
      std::optional<AmReceiverCallbackInfo> receiverCallbackInfo = std::nullopt,
      bool enablePythonFuture = false, RequestCallbackUserFunction callbackFunction = nullptr,
      RequestCallbackUserData callbackData = nullptr);
  std::shared_ptr<Request> amSend(const void* buffer, std::size_t length,
                                  const AmSendParams& params, bool enablePythonFuture = false,
                                  RequestCallbackUserFunction callbackFunction = nullptr,
                                  RequestCallbackUserData callbackData = nullptr);
  /// `params.datatype` must be `UCP_DATATYPE_IOV`; the blocks are sent as one message.
  std::shared_ptr<Request> amSend(std::vector<ucp_dt_iov_t> iov, const AmSendParams& params,
                                  bool enablePythonFuture = false,
                                  RequestCallbackUserFunction callbackFunction = nullptr,
                                  RequestCallbackUserData callbackData = nullptr);
  /// The next message of this endpoint, into a buffer that the library allocates.
  std::shared_ptr<Request> amRecv(bool enablePythonFuture = false,
                                  RequestCallbackUserFunction callbackFunction = nullptr,
                                  RequestCallbackUserData callbackData = nullptr);
  /// @}

  /// @name Streams: bytes in order, without message boundaries. Length 0 or null:
  /// `std::runtime_error`
  /// @{
  std::shared_ptr<Request> streamSend(const void* buffer, std::size_t length,
                                      bool enablePythonFuture = false);
  /// Ends when all `length` bytes are there.
  std::shared_ptr<Request> streamRecv(void* buffer, std::size_t length,
                                      bool enablePythonFuture = false);
  /// Ends when any bytes are there, with as many as are, `length` at most: `getReceivedLength`.
  /// What one send of the peer has announced, being large, comes whole before any of it is there.
  std::shared_ptr<Request> streamRecvSome(void* buffer, std::size_t length,
                                          bool enablePythonFuture = false);
  /// @}

  /// @name One-sided: memory that the peer has registered (MemoryHandle), by a key of this endpoint
  /// The peer takes no part in it where its memory is mapped here (library memory, inside a
  /// machine) or the kernel copies; elsewhere its worker has to progress. A put has ended when
  /// `buffer` may be used again, and is in the peer's memory after a `flush` (OK: all of them are;
  /// INVALID_PARAM: memory that was no longer registered). What ended in the call may share its
  /// request, which has no parent and no owner, with others. Atomics are atomic with each other and
  /// with `std::atomic_ref` of the processes that map the word, whatever way they go. One-sided
  /// operations and messages overtake each other: flush in between.
  ///
  /// `InvalidParamError` in the call for a key that is null or of another endpoint, bytes that do
  /// not lie within its memory, or a word that is not aligned; the request ends with INVALID_PARAM
  /// when the peer has given that memory up. Buffers: of the host.
  /// @{
  std::shared_ptr<Request> memPut(const void* buffer, std::size_t length,
                                  const std::shared_ptr<RemoteKey>& remoteKey,
                                  std::uint64_t remoteAddressOffset = 0,
                                  bool enablePythonFuture = false);
  std::shared_ptr<Request> memPut(const void* buffer, std::size_t length,
                                  const std::shared_ptr<RemoteKey>& remoteKey,
                                  std::uint64_t remoteAddressOffset, bool enablePythonFuture,
                                  RequestCallbackUserFunction callbackFunction,
                                  RequestCallbackUserData callbackData = nullptr);
  /// `remoteAddress`: in the peer. `rkey`: the handle of a key.
  std::shared_ptr<Request> memPut(const void* buffer, std::size_t length,
                                  std::uint64_t remoteAddress, ucp_rkey_h rkey,
                                  bool enablePythonFuture = false,
                                  RequestCallbackUserFunction callbackFunction = nullptr,
                                  RequestCallbackUserData callbackData = nullptr);
  std::shared_ptr<Request> memGet(void* buffer, std::size_t length,
                                  const std::shared_ptr<RemoteKey>& remoteKey,
                                  std::uint64_t remoteAddressOffset = 0,
                                  bool enablePythonFuture = false);
  std::shared_ptr<Request> memGet(void* buffer, std::size_t length,
                                  const std::shared_ptr<RemoteKey>& remoteKey,
                                  std::uint64_t remoteAddressOffset, bool enablePythonFuture,
                                  RequestCallbackUserFunction callbackFunction,
                                  RequestCallbackUserData callbackData = nullptr);
  std::shared_ptr<Request> memGet(void* buffer, std::size_t length, std::uint64_t remoteAddress,
                                  ucp_rkey_h rkey, bool enablePythonFuture = false,
                                  RequestCallbackUserFunction callbackFunction = nullptr,
                                  RequestCallbackUserData callbackData = nullptr);

  /// Changes the word of 4 or 8 bytes at `offset`. Like a put, it has reached the peer after a
  /// `flush`.
  template <class Word>
  std::shared_ptr<Request> atomicPost(AtomicOperation operation, Word operand,
                                      const std::shared_ptr<RemoteKey>& remoteKey,
                                      std::uint64_t offset = 0) {
    return start(data::WordUpdate::post(operation, operand), remoteKey, offset);
  }
  template <class Word>
  std::shared_ptr<Request> atomicPost(AtomicOperation operation, Word operand,
                                      const std::shared_ptr<RemoteKey>& remoteKey,
                                      std::uint64_t offset,
                                      RequestCallbackUserFunction callbackFunction,
                                      RequestCallbackUserData callbackData = nullptr) {
    const auto wanted = data::WordUpdate::post(operation, operand);
    return start(wanted, remoteKey, offset, std::move(callbackFunction), std::move(callbackData));
  }
  /// Changes the word as `atomicPost` does; the value before is at `previous`, which belongs to
  /// the request, when that has ended.
  template <class Word>
  std::shared_ptr<Request> atomicFetch(AtomicOperation operation, Word operand, Word* previous,
                                       const std::shared_ptr<RemoteKey>& remoteKey,
                                       std::uint64_t offset = 0) {
    return start(data::WordUpdate::fetch(operation, operand, previous), remoteKey, offset);
  }
  template <class Word>
  std::shared_ptr<Request> atomicFetch(AtomicOperation operation, Word operand, Word* previous,
                                       const std::shared_ptr<RemoteKey>& remoteKey,
                                       std::uint64_t offset,
                                       RequestCallbackUserFunction callbackFunction,
                                       RequestCallbackUserData callbackData = nullptr) {
    const auto wanted = data::WordUpdate::fetch(operation, operand, previous);
    return start(wanted, remoteKey, offset, std::move(callbackFunction), std::move(callbackData));
  }
  /// Stores `desired` if the word is `expected`, which it was if `*previous` is.
  template <class Word>
  std::shared_ptr<Request> atomicCompareSwap(Word expected, Word desired, Word* previous,
                                             const std::shared_ptr<RemoteKey>& remoteKey,
                                             std::uint64_t offset = 0) {
    return start(data::WordUpdate::compareSwap(expected, desired, previous), remoteKey, offset);
  }
  template <class Word>
  std::shared_ptr<Request> atomicCompareSwap(Word expected, Word desired, Word* previous,
                                             const std::shared_ptr<RemoteKey>& remoteKey,
                                             std::uint64_t offset,
                                             RequestCallbackUserFunction callbackFunction,
                                             RequestCallbackUserData callbackData = nullptr) {
    const auto wanted = data::WordUpdate::compareSwap(expected, desired, previous);
    return start(wanted, remoteKey, offset, std::move(callbackFunction), std::move(callbackData));
  }
  /// @}

  /// @name Transfers that are prepared once and done again and again (`ucxx/prepared.h`)
  /// The buffer has `bytes` bytes, a multiple of `options.partitions`; it is the host's, stays the
  /// caller's, and lives until the plan has been closed. Neither waits for the peer.
  /// `InvalidParamError` for a buffer that is null though it is to have bytes, and for partitions
  /// that are 0, more than 65536, or do not divide the bytes; `UnsupportedError` for memory of a
  /// device.
  /// @{
  std::shared_ptr<PreparedSend> prepareSend(const void* buffer, std::size_t bytes, AnyTag tag,
                                            const PrepareOptions& options = {});
  std::shared_ptr<PreparedRecv> prepareRecv(void* buffer, std::size_t bytes, AnyTag tag,
                                            const PrepareOptions& options = {});
  /// @}

  /// Ends when all sends posted on it before are with their receiver, and one-sided operations have
  /// reached the peer's memory; while it connects, not before the peer has accepted it.
  std::shared_ptr<Request> flush(bool enablePythonFuture = false,
                                 RequestCallbackUserFunction callbackFunction = nullptr,
                                 RequestCallbackUserData callbackData = nullptr);
  /// Waits for sends and flushes, tells the peer, cancels receives posted through this endpoint.
  /// Ends at the latest after `WorkerOptions::close_timeout`, or when the peer closes, too. Sends
  /// that nobody has begun to receive are cancelled then, and are not received later; those in
  /// flight as in `closeBlocking`. The endpoint is closed all the same, but
  /// the request fails with TIMED_OUT, or with what the endpoint has failed with; the text of
  /// `checkError` has the number of messages that were not taken, and their bytes. If nobody looks
  /// at the close, or it is cancelled, or the endpoint is dropped, a warning in the log says so.
  ///
  /// Null when the endpoint closes, is closed, or has failed. But the first close after a failure
  /// reports sends that were lost with it and whose requests nobody holds.
  std::shared_ptr<Request> close(bool enablePythonFuture = false,
                                 RequestCallbackUserFunction callbackFunction = nullptr,
                                 RequestCallbackUserData callbackData = nullptr);
  /// Closes with a limit of its own instead of the worker's; a negative one: `InvalidParamError`.
  std::shared_ptr<Request> close(std::chrono::milliseconds timeout,
                                 RequestCallbackUserFunction callbackFunction = nullptr,
                                 RequestCallbackUserData callbackData = nullptr);
  /// Cancels open requests, then closes. Waits only for sends that cannot be cancelled (`period`
  /// nanoseconds times `maxAttempts`; 0: the close timeout), not for the peer to progress: what
  /// UCX has not written yet goes out while the worker progresses, or in its destructor. A send
  /// that is still in flight then keeps its buffer until it ends, inside a machine when the peer
  /// goes on or dies; over UCX the connection is closed when nothing has moved for a second, unless
  /// another endpoint uses it. Never throws; a second call is a no-op. Not from callbacks.
  void closeBlocking(std::uint64_t period = 0, std::uint64_t maxAttempts = 1);
  /// Cancels what can be cancelled; returns how many.
  std::size_t cancelInflightRequests();
  std::size_t cancelInflightRequestsBlocking(std::uint64_t period = 0,
                                             std::uint64_t maxAttempts = 1);
  /// Requests that were cancelled and have not ended yet.
  std::size_t getCancelingSize() const;

  /// Tags for a pair that met through a listener; both ends have them at once.
  /// They are spread over all 64 bits, so that no other pair has them, as far as chance goes.
  /// `UnsupportedError` for an endpoint made from a worker's address, whose peer may have no end.
  PairTags getPairTags() const;
  /// "ip:port" of the socket by which it was called, also where messages go another way; inside a
  /// machine the loopback's address. Port 0 where there was no such socket: an endpoint made from a
  /// worker's address inside a machine, and the caller's with `UCXX_LOCAL=only`. Endpoints that the
  /// same caller opens while its first call lasts share that. Empty until connected.
  std::string getLocalAddress() const;
  std::string getPeerAddress() const;
  std::vector<TransportInfo> getTransports() const;
  /// How a tag message of one block of `size` bytes would go to the peer now, and why. A memory
  /// type other than the host's: in the memory of a device (`InvalidParamError`: it is none).
  /// What only the receiver decides, or sees in the buffers, is said for both cases. Waits for the
  /// loop, as `Worker::describe`.
  Explanation explain(std::size_t size, ucs_memory_type_t memoryType = UCS_MEMORY_TYPE_HOST) const;

  RequestTagBuilder tagSendBuilder(const void* buffer, std::size_t length, AnyTag tag);
  RequestTagBuilder tagRecvBuilder(void* buffer, std::size_t length, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull);
  RequestTagBuilder tagSendBuilder(std::vector<ucp_dt_iov_t> iov, AnyTag tag);
  RequestTagBuilder tagRecvBuilder(std::vector<ucp_dt_iov_t> iov, AnyTag tag,
                                   AnyTagMask tagMask = TagMaskFull);
  RequestTagMultiBuilder tagMultiSendBuilder(const std::vector<const void*>& buffers,
                                             const std::vector<std::size_t>& sizes,
                                             const std::vector<int>& isCUDA, AnyTag tag);
  RequestTagMultiBuilder tagMultiRecvBuilder(AnyTag tag, AnyTagMask tagMask = TagMaskFull);
  RequestAmBuilder amSendBuilder(const void* buffer, std::size_t length,
                                 ucs_memory_type_t memoryType);
  RequestAmBuilder amSendBuilder(const void* buffer, std::size_t length,
                                 const AmSendParams& params);
  RequestAmBuilder amSendBuilder(std::vector<ucp_dt_iov_t> iov, const AmSendParams& params);
  RequestAmBuilder amRecvBuilder();
  RequestStreamBuilder streamSendBuilder(const void* buffer, std::size_t length);
  RequestStreamBuilder streamRecvBuilder(void* buffer, std::size_t length);
  RequestMemBuilder memPutBuilder(const void* buffer, std::size_t length,
                                  std::shared_ptr<RemoteKey> remoteKey);
  RequestMemBuilder memPutBuilder(const void* buffer, std::size_t length,
                                  std::uint64_t remoteAddress, ucp_rkey_h rkey);
  RequestMemBuilder memGetBuilder(void* buffer, std::size_t length,
                                  std::shared_ptr<RemoteKey> remoteKey);
  RequestMemBuilder memGetBuilder(void* buffer, std::size_t length, std::uint64_t remoteAddress,
                                  ucp_rkey_h rkey);
  template <class Word>
  RequestAtomicBuilder atomicPostBuilder(AtomicOperation operation, Word operand,
                                         std::shared_ptr<RemoteKey> remoteKey) {
    return atomicBuilder(data::WordUpdate::post(operation, operand), std::move(remoteKey));
  }
  template <class Word>
  RequestAtomicBuilder atomicFetchBuilder(AtomicOperation operation, Word operand, Word* previous,
                                          std::shared_ptr<RemoteKey> remoteKey) {
    return atomicBuilder(data::WordUpdate::fetch(operation, operand, previous),
                         std::move(remoteKey));
  }
  template <class Word>
  RequestAtomicBuilder atomicCompareSwapBuilder(Word expected, Word desired, Word* previous,
                                                std::shared_ptr<RemoteKey> remoteKey) {
    return atomicBuilder(data::WordUpdate::compareSwap(expected, desired, previous),
                         std::move(remoteKey));
  }
  RemoteKeyBuilder remoteKeyBuilder(const SerializedRemoteKey& serialized);
  RequestFlushBuilder flushBuilder();
  RequestEndpointCloseBuilder closeBuilder();

  core::EndpointState& state() const noexcept { return *state_; }

 private:
  friend class Worker;
  friend class Listener;
  friend RequestAmBuilder;
  friend RequestAtomicBuilder;
  friend RequestFlushBuilder;
  friend RequestMemBuilder;
  friend RequestStreamBuilder;
  friend RequestTagBuilder;
  friend RequestTagMultiBuilder;
  Endpoint(std::shared_ptr<Component> parent, std::shared_ptr<Worker> worker,
           core::EndpointState& state);

  static std::shared_ptr<Endpoint> make(std::shared_ptr<Component> parent,
                                        core::EndpointState& state);
  template <class Public, class Returned = Public>
  std::shared_ptr<Returned> makeRequest(core::OperationKind kind);
  template <class Public>
  std::shared_ptr<Public> makeRequest(core::OperationKind kind,
                                      RequestCallbackUserFunction&& callback,
                                      RequestCallbackUserData&& data);

  RequestAtomicBuilder atomicBuilder(const data::WordUpdate& update,
                                     std::shared_ptr<RemoteKey> remoteKey);

  // What the functions above and the builders share.
  template <class Public>
  std::shared_ptr<Public> makeRequest(core::OperationKind kind, const core::Posting& posting);
  struct TagMessage {
    const void* buffer;
    std::size_t length;
    Tag tag;
    bool synchronous = false;
  };
  std::shared_ptr<Request> postTagSend(const TagMessage& message, const core::Posting& posting);
  std::shared_ptr<Request> submitTagSend(const TagMessage& message, bool on_device,
                                         const core::Posting& posting);
  std::shared_ptr<Request> postTagSend(std::vector<ucp_dt_iov_t>&& iov, Tag tag, bool synchronous,
                                       const core::Posting& posting);
  std::shared_ptr<Request> postTagRecv(void* buffer, std::size_t length, Tag tag, TagMask mask,
                                       const core::Posting& posting);
  std::shared_ptr<Request> postTagRecv(std::vector<ucp_dt_iov_t>&& iov, Tag tag, TagMask mask,
                                       const core::Posting& posting);
  std::shared_ptr<Request> postMultiSend(const std::vector<const void*>& buffers,
                                         const std::vector<std::size_t>& sizes,
                                         const std::vector<int>& is_cuda, Tag tag,
                                         core::ConditionState* condition);
  std::shared_ptr<Request> postMultiRecv(Tag tag, TagMask mask, core::ConditionState* condition);
  std::shared_ptr<Request> postAmSend(const void* buffer, std::size_t length,
                                      const AmSendParams& params, const core::Posting& posting);
  std::shared_ptr<Request> postAmSend(std::vector<ucp_dt_iov_t>&& iov, const AmSendParams& params,
                                      const core::Posting& posting);
  std::shared_ptr<Request> postAmRecv(const core::Posting& posting);
  std::shared_ptr<Request> postStream(core::OperationKind kind, void* buffer, std::size_t length,
                                      bool takes_some, const core::Posting* posting);
  std::shared_ptr<Request> postFlush(const core::Posting& posting);
  std::string doorAddress(bool local) const;
  std::shared_ptr<Request> startClose(std::chrono::milliseconds timeout,
                                      RequestCallbackUserFunction&& callback,
                                      RequestCallbackUserData&& data);

  struct OneSided;
  std::shared_ptr<Request> post(const OneSided& wanted, const std::shared_ptr<RemoteKey>& remoteKey,
                                const core::Posting& posting);
  std::shared_ptr<Request> postPut(const void* buffer, std::size_t length,
                                   const std::shared_ptr<RemoteKey>& remoteKey,
                                   std::uint64_t offset, const core::Posting& posting);
  std::shared_ptr<Request> postGet(void* buffer, std::size_t length,
                                   const std::shared_ptr<RemoteKey>& remoteKey,
                                   std::uint64_t offset, const core::Posting& posting);
  std::shared_ptr<Request> post(const data::WordUpdate& wanted,
                                const std::shared_ptr<RemoteKey>& remoteKey, std::uint64_t offset,
                                const core::Posting& posting,
                                const data::OperandPlaces& operands = {});
  std::shared_ptr<Request> start(const data::WordUpdate& wanted,
                                 const std::shared_ptr<RemoteKey>& key, std::uint64_t offset);
  std::shared_ptr<Request> start(const data::WordUpdate& wanted,
                                 const std::shared_ptr<RemoteKey>& remoteKey, std::uint64_t offset,
                                 RequestCallbackUserFunction&& callback,
                                 RequestCallbackUserData&& data);

  std::shared_ptr<Worker> worker_;
  core::EndpointState* state_;
};

}  // namespace ucxx
