// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// One-sided operations up to their link. On memory that is mapped here they are done in the call,
// without a word to the loop.

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/remote_key.h>
#include <ucxx/request_mem.h>
#include <ucxx/worker.h>

#include "api/endpoint_requests.h"
#include "api/remote_keys.h"
#include "base/clock.h"
#include "base/file_descriptor.h"
#include "core/channel/port.h"
#include "core/condition/posting.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/onesided/atomic_update.h"
#include "core/onesided/memory_key.h"
#include "core/onesided/one_sided.h"
#include "core/onesided/remote_memory.h"
#include "core/request/buffer_checks.h"
#include "core/request/device_memory.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "local/channel.h"

namespace ucxx {

using core::EndpointPhase;
using core::OperationKind;

namespace {

/// Whether the peer of `endpoint` lives; while it does not, this thread moves the loop if nobody
/// else does, until the endpoint has failed.
void moveIfDead(core::EndpointState& endpoint) {
  {
    const core::Loop::Visit entry(endpoint.loop);
    if (!entry.mayProgress()) return;  // whoever moves it hears of the end
    const core::Port* const port = endpoint.isOver() ? nullptr : endpoint.inlet;
    if (port == nullptr || port->local == nullptr || port->local->isPeerThere()) return;
    endpoint.loop.lookOften();
  }
  endpoint.loop.progress();
}

/// What is copied in the call.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 20;

[[noreturn]] void refuse(OperationKind kind, const std::string& what) {
  throw InvalidParamError(fmt::format("{}: {}", toString(kind), what));
}

const core::RemoteMemory& memoryOf(const RemoteKey* key, const core::EndpointState& endpoint,
                                   OperationKind kind) {
  if (key == nullptr) refuse(kind, "the remote key is null");
  if (key->memory().endpoint() != &endpoint)
    refuse(kind, "the remote key was not made from serialized bytes on this endpoint");
  return key->memory();
}

void requireWithin(const core::RemoteMemory& memory, std::uint64_t offset, std::size_t size,
                   OperationKind kind) {
  if (memory.has(offset, size)) return;
  refuse(kind, fmt::format("{} bytes at offset {} do not lie within the {} bytes of the remote key",
                           size, offset, memory.key().size));
}

void requireUpdate(const core::AtomicUpdate& update, const core::RemoteMemory& memory,
                   std::uint64_t offset, const void* previous) {
  constexpr auto kKind = OperationKind::Atomic;
  requireWithin(memory, offset, update.word_bytes, kKind);
  if (!update.isValid())
    refuse(kKind, fmt::format("invalid atomic operation {}", static_cast<int>(update.operation)));
  if (update.fetches != 0 && previous == nullptr)
    refuse(kKind, "the pointer for the previous value is null; atomicPost needs none");
  if (update.fetches != 0) core::requireHostMemory(previous, kKind);
  if ((memory.key().base + offset) % update.word_bytes != 0)
    refuse(kKind, fmt::format("the word at offset {} is not aligned to its {} bytes", offset,
                              update.word_bytes));
}

/// What `requireUpdate` asks for, of words within the memory.
[[gnu::always_inline]] inline bool mayBeDone(const core::AtomicUpdate& update,
                                             const core::RemoteMemory& memory, std::uint64_t offset,
                                             const void* previous) noexcept {
  return update.isValid() &&
         (update.fetches == 0 || (previous != nullptr && !core::isDeviceMemory(previous))) &&
         ((memory.key().base + offset) & (update.word_bytes - 1u)) == 0;
}

/// Where the bytes are mapped, if nothing about key, place or endpoint needs another look.
[[gnu::always_inline]] inline std::byte* placeAtOnce(const core::EndpointState& endpoint,
                                                     const RemoteKey* key, std::uint64_t offset,
                                                     std::size_t size) noexcept {
  if (key == nullptr || key->memory().endpoint() != &endpoint || !key->memory().has(offset, size))
    return nullptr;
  const bool is_all = endpoint.phase.load(std::memory_order_relaxed) == EndpointPhase::Open &&
                      !endpoint.loop.options.delayed_submission &&
                      !endpoint.loop.options.request_attributes && !base::isForkedChild();
  return is_all ? key->memory().at(offset) : nullptr;
}

/// After so many operations, which need nobody's help, the clock says whether to look for the life
/// of their owner: a killed one leaves its memory here. Not more often than after so many cycles,
/// about 0.4 ms: that costs a system call.
constexpr std::uint32_t kLookEach = 64;
constexpr std::uint64_t kLookCycles = 1'000'000;

[[gnu::noinline, gnu::cold]] void lookForOwner(core::EndpointState& endpoint) {
  const std::uint64_t now = base::cycles();
  if (now - endpoint.looked_at.load(std::memory_order_relaxed) < kLookCycles) return;
  endpoint.looked_at.store(now, std::memory_order_relaxed);
  moveIfDead(endpoint);
}

/// Threads may count at once: then some operations are not counted, which does not matter.
[[gnu::always_inline]] inline void countAccess(core::EndpointState& endpoint) {
  const std::uint32_t count = endpoint.accesses.load(std::memory_order_relaxed) + 1;
  endpoint.accesses.store(count, std::memory_order_relaxed);
  if (count % kLookEach == 0) [[unlikely]]
    lookForOwner(endpoint);
}

/// The bytes at `buffer` can be had in the call.
[[gnu::always_inline]] inline bool isAtHand(const void* buffer, std::size_t length) noexcept {
  return buffer != nullptr && length <= kMostAtOnce && !core::isDeviceMemory(buffer);
}

[[gnu::always_inline]] inline void copyAtOnce(void* to, const void* from, std::size_t length) {
  if (length == sizeof(std::uint64_t))  // one instruction instead of a call
    std::memcpy(to, from, sizeof(std::uint64_t));
  else
    std::memmove(to, from, length);  // on an endpoint to the own worker they may overlap
}

core::AtomicUpdate updateOf(const data::WordUpdate& wanted) noexcept {
  return {.operand = wanted.operand,
          .expected = wanted.expected,
          .operation = wanted.operation,
          .word_bytes = static_cast<std::uint8_t>(wanted.wordBytes),
          .fetches = static_cast<std::uint8_t>(wanted.fetches),
          .compares = static_cast<std::uint8_t>(wanted.compares)};
}

/// The key that goes with an address, and the offset in it.
std::shared_ptr<RemoteKey> keyFor(ucp_rkey_h handle, OperationKind kind) {
  std::shared_ptr<RemoteKey> key = core::keyOf(handle);
  if (key == nullptr)
    refuse(kind, fmt::format("{} is not the handle of a remote key", static_cast<void*>(handle)));
  return key;
}

std::uint64_t offsetIn(const RemoteKey& key, std::uint64_t address, std::size_t size,
                       OperationKind kind) {
  const std::uint64_t offset = address - key.getBaseAddress();
  if (address < key.getBaseAddress() || !key.memory().has(offset, size))
    refuse(kind, fmt::format(
                     "{} bytes at {:#x} do not lie within the {} bytes of the remote key at {:#x}",
                     size, address, key.getSize(), key.getBaseAddress()));
  return offset;
}

}  // namespace

core::KeyedPlace core::placeOf(const data::RemotePlace& place, std::size_t size,
                               OperationKind kind) {
  if (place.rkey == nullptr) return {place.remoteKey, place.offset};
  std::shared_ptr<RemoteKey> key = keyFor(place.rkey, kind);
  const std::uint64_t offset = offsetIn(*key, place.remoteAddress + place.offset, size, kind);
  return {std::move(key), offset};
}

/// What is wanted of a remote memory.
struct Endpoint::OneSided {
  OperationKind kind;
  void* buffer;
  std::size_t length;
  std::uint64_t offset;
  core::AtomicUpdate update{};
  data::OperandPlaces operands{};

  std::shared_ptr<Request> post(Endpoint& endpoint, const std::shared_ptr<RemoteKey>& key,
                                const core::Posting& posting) const {
    const core::RemoteMemory& memory = memoryOf(key.get(), *endpoint.state_, kind);
    if (kind == OperationKind::Atomic) {
      requireUpdate(update, memory, offset, buffer);
      for (const void* const place : {operands.operand, operands.expected})
        if (place != nullptr) core::requireHostMemory(place, kind);
    } else {
      core::requireBytes(buffer, length, kind);
      core::requireHostMemory(buffer, kind);
      requireWithin(memory, offset, length, kind);
    }
    return endpoint.post(*this, key, posting);
  }

  /// @name What is not done in the call, without a callback
  /// Out of line, with the parameters of their callers: these jump here, and save no register.
  /// @{
  [[gnu::noinline]] static std::shared_ptr<Request> put(Endpoint& endpoint, const void* buffer,
                                                        std::size_t length,
                                                        const std::shared_ptr<RemoteKey>& key,
                                                        std::uint64_t offset) {
    return endpoint.postPut(buffer, length, key, offset, core::NoCallback());
  }
  [[gnu::noinline]] static std::shared_ptr<Request> get(Endpoint& endpoint, void* buffer,
                                                        std::size_t length,
                                                        const std::shared_ptr<RemoteKey>& key,
                                                        std::uint64_t offset) {
    return endpoint.postGet(buffer, length, key, offset, core::NoCallback());
  }
  [[gnu::noinline]] static std::shared_ptr<Request> change(Endpoint& endpoint,
                                                           const data::WordUpdate& wanted,
                                                           const std::shared_ptr<RemoteKey>& key,
                                                           std::uint64_t offset) {
    return endpoint.post(wanted, key, offset, core::NoCallback());
  }
  /// @}
};

std::shared_ptr<Request> Endpoint::post(const OneSided& wanted,
                                        const std::shared_ptr<RemoteKey>& key,
                                        const core::Posting& posting) {
  auto request = makeRequest<RequestMem>(wanted.kind, posting);
  core::Operation& op = request->operation();
  op.buffer = wanted.buffer;
  op.length = wanted.length;
  op.tag = wanted.offset;
  auto extra = std::make_unique<core::OneSidedExtra>();
  extra->memory = key->half();
  extra->update = wanted.update;
  extra->operands = wanted.operands;
  op.extra = std::move(extra);
  posting.submit(worker_->loop(), op);
  return request;
}

std::shared_ptr<Request> Endpoint::postPut(const void* buffer, std::size_t length,
                                           const std::shared_ptr<RemoteKey>& key,
                                           std::uint64_t offset, const core::Posting& posting) {
  return OneSided{OperationKind::MemPut, const_cast<void*>(buffer), length, offset}.post(*this, key,
                                                                                         posting);
}

std::shared_ptr<Request> Endpoint::postGet(void* buffer, std::size_t length,
                                           const std::shared_ptr<RemoteKey>& key,
                                           std::uint64_t offset, const core::Posting& posting) {
  return OneSided{OperationKind::MemGet, buffer, length, offset}.post(*this, key, posting);
}

std::shared_ptr<Request> Endpoint::memPut(const void* buffer, std::size_t length,
                                          const std::shared_ptr<RemoteKey>& key,
                                          std::uint64_t offset, bool) {
  std::byte* const place = placeAtOnce(*state_, key.get(), offset, length);
  if (place == nullptr || !isAtHand(buffer, length)) [[unlikely]]
    return OneSided::put(*this, buffer, length, key, offset);
  copyAtOnce(place, buffer, length);
  countAccess(*state_);
  return core::ownerlessEndedRequest<RequestMem, OperationKind::MemPut, Request>();
}

std::shared_ptr<Request> Endpoint::memPut(const void* buffer, std::size_t length,
                                          const std::shared_ptr<RemoteKey>& key,
                                          std::uint64_t offset, bool,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  if (callback == nullptr) return memPut(buffer, length, key, offset);
  return postPut(buffer, length, key, offset, {callback, data});
}

std::shared_ptr<Request> Endpoint::memGet(void* buffer, std::size_t length,
                                          const std::shared_ptr<RemoteKey>& key,
                                          std::uint64_t offset, bool) {
  const std::byte* const place = placeAtOnce(*state_, key.get(), offset, length);
  if (place == nullptr || !isAtHand(buffer, length)) [[unlikely]]
    return OneSided::get(*this, buffer, length, key, offset);
  copyAtOnce(buffer, place, length);
  countAccess(*state_);
  return core::ownerlessEndedRequest<RequestMem, OperationKind::MemGet, Request>();
}

std::shared_ptr<Request> Endpoint::memGet(void* buffer, std::size_t length,
                                          const std::shared_ptr<RemoteKey>& key,
                                          std::uint64_t offset, bool,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  if (callback == nullptr) return memGet(buffer, length, key, offset);
  return postGet(buffer, length, key, offset, {callback, data});
}

std::shared_ptr<Request> Endpoint::post(const data::WordUpdate& wanted,
                                        const std::shared_ptr<RemoteKey>& key, std::uint64_t offset,
                                        const core::Posting& posting,
                                        const data::OperandPlaces& operands) {
  return OneSided{.kind = OperationKind::Atomic,
                  .buffer = wanted.previous,
                  .length = wanted.wordBytes,
                  .offset = offset,
                  .update = updateOf(wanted),
                  .operands = operands}
      .post(*this, key, posting);
}

std::shared_ptr<Request> Endpoint::start(const data::WordUpdate& wanted,
                                         const std::shared_ptr<RemoteKey>& key,
                                         std::uint64_t offset) {
  const core::AtomicUpdate update = updateOf(wanted);
  std::byte* const place = placeAtOnce(*state_, key.get(), offset, wanted.wordBytes);
  if (place == nullptr || !mayBeDone(update, key->memory(), offset, wanted.previous)) [[unlikely]]
    return OneSided::change(*this, wanted, key, offset);
  const std::uint64_t before = update.apply(place);
  if (wanted.fetches) update.store(before, wanted.previous);
  countAccess(*state_);
  return core::ownerlessEndedRequest<RequestMem, OperationKind::Atomic, Request>();
}

std::shared_ptr<Request> Endpoint::start(const data::WordUpdate& wanted,
                                         const std::shared_ptr<RemoteKey>& key,
                                         std::uint64_t offset,
                                         RequestCallbackUserFunction&& callback,
                                         RequestCallbackUserData&& data) {
  if (callback == nullptr) return start(wanted, key, offset);
  return post(wanted, key, offset, {callback, data});
}

std::shared_ptr<Request> Endpoint::memPut(const void* buffer, std::size_t length,
                                          std::uint64_t address, ucp_rkey_h handle, bool future,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  const auto place = core::placeOf({address, handle}, length, OperationKind::MemPut);
  return memPut(buffer, length, place.key, place.offset, future, std::move(callback),
                std::move(data));
}

std::shared_ptr<Request> Endpoint::memGet(void* buffer, std::size_t length, std::uint64_t address,
                                          ucp_rkey_h handle, bool future,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  const auto place = core::placeOf({address, handle}, length, OperationKind::MemGet);
  return memGet(buffer, length, place.key, place.offset, future, std::move(callback),
                std::move(data));
}

}  // namespace ucxx
