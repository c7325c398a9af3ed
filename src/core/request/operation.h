// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <ucxx/request.h>
#include <ucxx/typedefs.h>

#include "base/clock.h"
#include "base/completion.h"
#include "base/immortal.h"
#include "base/list.h"
#include "base/mpsc_queue.h"
#include "base/object_pool.h"
#include "core/loop/post.h"
#include "core/request/continuations.h"
#include "core/request/operation_kind.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"
#include "core/wire/wire.h"
#include "local/claims.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Arming;
class EndpointCore;
class Loop;
class Port;
struct Operation;

/// What a send is on a link.
constexpr MessageKind messageOf(OperationKind kind) noexcept {
  switch (kind) {
    case OperationKind::AmSend:
      return MessageKind::Am;
    case OperationKind::StreamSend:
      return MessageKind::Stream;
    case OperationKind::MultiSend:
      return MessageKind::Multi;
    case OperationKind::PreparedSend:
      return MessageKind::PlanData;
    default:
      return MessageKind::Tag;
  }
}

/// What only some operations need; allocated for them alone.
struct OperationExtra {
  virtual ~OperationExtra() = default;
  static void* operator new(std::size_t size) {
    return size <= base::kPoolMaxBytes ? base::poolAllocate(size) : ::operator new(size);
  }
  static void operator delete(void* extra, std::size_t size) noexcept {
    size <= base::kPoolMaxBytes ? base::poolFree(extra, size) : ::operator delete(extra);
  }
  /// What another operation needs, which does once more what this one was posted for; null: of
  /// a kind that cannot. Throws `std::bad_alloc`.
  virtual std::unique_ptr<OperationExtra> again() const { return nullptr; }
  /// Memory of its own, which the operation moves in place of a buffer of the caller; null: it has
  /// none.
  virtual void* ownBuffer() const noexcept { return nullptr; }
  /// The caller may have filled its buffers since it posted the operation, which begins now: what
  /// was copied of them then is copied again.
  virtual void renew() noexcept {}
  /// The buffers of the caller's that it names, beside that of the operation.
  virtual std::vector<const void*> buffers() const { return {}; }
  /// The operation begins although it was cancelled before: it ends something, whether or not
  /// somebody waits for that.
  virtual bool beginsCancelled() const noexcept { return false; }
  /// The operation, which has not begun, ends with `status`; its request may stay for long. Returns
  /// what the operation no longer needs when it has ended.
  virtual std::shared_ptr<void> endUnbegun(ucs_status_t) noexcept { return nullptr; }
  /// Calls `visit`, which may end the operation, with each endpoint over which it moves. False, and
  /// `visit` was not called: the operation moves over `Operation::endpoint` alone.
  virtual bool visitEndpoints(void (*)(EndpointCore&) noexcept) noexcept { return false; }
  /// Takes from the extra of a repetition why that has failed. Throws `std::bad_alloc`.
  virtual void takeReason(const OperationExtra&) {}
};

/// Where an operation is on its way.
enum class Stage : std::uint8_t {
  Queued,   ///< posted by another thread, not yet seen by the loop
  Armed,    ///< its condition has not started it: armed.h
  Waiting,  ///< for its turn: link not up, back-pressure, no match yet. Can be withdrawn
  Moving,   ///< UCX or a peer has the buffer, or may take it: ends by itself, or is revoked or
            ///< recalled
  Landing,  ///< all bytes are here, and are copied to or from a device: ends by itself
  Ended,
};

/// A post about one operation.
struct OperationPost final : Post {
  explicit OperationPost(Operation& op_) noexcept : op(op_) {}
  Operation& op;
};

/// The part of a request that the loop works with; lives in the same block as the Request.
///
/// Held by the user (all copies of the shared_ptr are one) and by the loop, from the post until the
/// end. Fields are the loop's, except where another thread is named. `tag` of a one-sided operation
/// is its offset in the remote memory.
struct Operation : PostedReceive, base::Completion {
  OperationKind kind = OperationKind::TagSend;
  Stage stage = Stage::Queued;
  std::atomic<bool> cancel_requested{false};  // any thread
  std::atomic<bool> is_forgotten{false};      // its user will not look at its end; any thread
  bool in_post = false;           // its posting call is on the stack: nobody else can see it yet
  bool completed_inline = false;  // in that call
  bool announced = false;         // its first message is an announcement
  bool on_device = false;         // a send: its payload lies where the processor does not reach it
  bool synchronous = false;       // a tag send: ends when a receive has matched it
  bool takes_some = false;        // a stream receive: ends as soon as it has something
  bool stall_reported = false;
  bool cancelled = false;  // counted by Endpoint::getCancelingSize
  bool recalling = false;  // a send: its receiver was asked to drop it
  bool repeats = false;    // its condition does; fixed when others know it
  local::Claim claim = 0;  // a send: by which it can be recalled (local/claims.h); 0: by none

  Loop* loop = nullptr;
  EndpointCore* endpoint = nullptr;  // null: of the worker
  void* buffer = nullptr;            // sends never write to it
  std::size_t length = 0;
  std::size_t received = 0;
  std::uint64_t sender_tag = 0;
  union {
    std::uint64_t first_offer = 0;  // a send: the number of its first announcement (offers.h)
    std::uint64_t inlet_number;     // a receive: over which inlet its message has come (inlet.h)
  };
  std::uint64_t last_offer = 0;  // the number of the last of them

  /// What has to end before the operation does (`endPart`): its messages, frames, fetches and
  /// copies, and one more as long as the operation begins others, which may end inside a call.
  std::uint32_t parts = 0;
  ucs_status_t part_status = UCS_OK;  // the first error of a part
  Port* port = nullptr;               // over which its parts go
  WireHeader header;
  base::ListNode pending_node;  // in the list of its endpoint or loop
  base::ListNode wait_node;     // in the one queue in which it waits for its turn
  std::uint64_t order = 0;      // grows from post to post of a loop
  base::TimePoint since{};

  RequestCallbackUserFunction callback;
  RequestCallbackUserData callback_data;
  std::unique_ptr<OperationExtra> extra;
  Arming* armed = nullptr;  // null: it was posted without a condition

  OperationPost submit_post{*this};  // any thread

  Outcome outcome;                       // any thread
  Continuations continuations;           // while `outcome` is watched
  ucs_status_t result = UCS_INPROGRESS;  // its status, the loop's; set before the callback runs
  void (*destroy)(Operation&) noexcept = nullptr;
  Request* request = nullptr;

  bool ended() const noexcept { return stage == Stage::Ended; }
};

using PendingList = base::List<Operation, &Operation::pending_node>;
using WaitList = base::List<Operation, &Operation::wait_node>;

/// Throws `UnsupportedError` for a buffer in the memory of a device, of an operation that the
/// processor carries out: one-sided ones, prepared transfers, and sends of several blocks that are
/// no active messages.
void requireHostMemory(const void* buffer, OperationKind kind);

inline void release(Operation& op) noexcept {
  if (op.outcome.letGo()) op.destroy(op);
}

/// Ends `op`: takes it off its list, runs the callback, publishes the status, drops the loop's
/// reference. The operation may be gone afterwards.
void complete(Operation& op, ucs_status_t status) noexcept;
/// Ends `op`, which has not begun.
void endUnbegun(Operation& op, ucs_status_t status) noexcept;
/// A part of `op` (fragment, frame, fetch) has ended; the last one ends the operation.
void endPart(Operation& op, ucs_status_t status) noexcept;
/// Calls a callback of the user's, which may throw, and drops what it holds.
void callBack(RequestCallbackUserFunction callback, RequestCallbackUserData data,
              ucs_status_t status) noexcept;
/// True on the thread that is inside the callback of `op`.
bool isInCallbackOf(const Operation& op) noexcept;

/// One pool block: a Request of type `Public` and its Operation.
template <class Public>
struct RequestBlock final : Public {
  explicit RequestBlock(std::shared_ptr<Component> parent) : Public(std::move(parent), state) {
    state.request = this;
    state.destroy = [](Operation& op) noexcept {
      auto* block = static_cast<RequestBlock*>(op.request);
      block->~RequestBlock();
      base::PoolAllocator<RequestBlock>().deallocate(block, 1);
    };
  }
  std::shared_ptr<Component> takeParent() noexcept { return std::move(this->parent_); }
  Operation state;
};

/// Ends the user's reference. The parent goes first: a pending operation that nobody holds must not
/// keep its worker alive.
struct RequestDeleter {
  template <class Public>
  void operator()(RequestBlock<Public>* block) const noexcept {
    const std::shared_ptr<Component> parent = block->takeParent();
    release(block->state);
  }
};

/// `Returned` is a base of `Public`.
template <class Public, class Returned = Public>
std::shared_ptr<Returned> makeRequest(std::shared_ptr<Component> parent, OperationKind kind) {
  using Block = RequestBlock<Public>;
  Block* block = new (base::PoolAllocator<Block>().allocate(1)) Block(std::move(parent));
  block->state.kind = kind;
  return std::shared_ptr<Returned>(block, RequestDeleter{}, base::PoolAllocator<Public>());
}
template <class Public>
std::shared_ptr<Public> makeRequest(std::shared_ptr<Component> parent, OperationKind kind,
                                    RequestCallbackUserFunction&& callback,
                                    RequestCallbackUserData&& data) {
  auto request = makeRequest<Public>(std::move(parent), kind);
  if (callback) request->operation().callback = std::move(callback);
  request->operation().callback_data = std::move(data);
  return request;
}

/// The operation of all requests of this kind that ended with OK before anybody saw them.
Operation& endedOperation(OperationKind kind);

/// A request that has nothing left to tell.
template <class Public>
struct EndedRequest final : Public {
  explicit EndedRequest(OperationKind kind) : Public(nullptr, endedOperation(kind)) {}
  void setParent(std::shared_ptr<Component>) override {}  // other threads may have it, too
};

/// All operations of one kind that end in their call share one request: nobody looks at it twice.
/// It has no owner, so that to copy and to drop it costs nothing.
///
/// What is returned is a copy of the bytes of a static pointer, which need no count: one store of
/// 16 bytes, since callers load it by one load. Two stores of 8 bytes would have to reach the cache
/// before that load, and every store before them, too: the load would wait until the peer gives up
/// a line of the ring. So `Returned` is what the caller returns: a conversion is two stores, too.
template <class Public, OperationKind kKind, class Returned = Public>
std::shared_ptr<Returned> ownerlessEndedRequest() noexcept {
  using Owned = std::shared_ptr<Returned>;
  static base::Immortal<Owned> ownerless([] {
    static base::Immortal<EndedRequest<Public>> request(kKind);
    return Owned(std::shared_ptr<void>(), &*request);
  }());
  Owned copy;
  std::memcpy(static_cast<void*>(&copy), static_cast<const void*>(&*ownerless), sizeof copy);
  return copy;
}

}  // namespace ucxx::core
