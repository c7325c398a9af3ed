// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// One-sided operations up to their link. On memory that is mapped here they are done in the call,
// without a word to the loop.

#include "core/one_sided.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/remote_key.h>
#include <ucxx/request_mem.h>
#include <ucxx/worker.h>

#include "core/endpoint_requests.h"
#include "core/loop.h"
#include "core/remote_keys.h"

namespace ucxx {

using core::EndpointPhase;
using core::OperationKind;

namespace {

/// What is copied in the call.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 20;

[[noreturn]] void refuse(OperationKind kind, const std::string& what) {
  throw InvalidParamError(fmt::format("{}: {}", toString(kind), what));
}

core::RemoteMemory& memoryOf(const RemoteKey* key, const core::EndpointState& endpoint,
                             OperationKind kind) {
  if (key == nullptr) refuse(kind, "the remote key is null");
  if (key->memory().endpoint() != &endpoint)
    refuse(kind, "the remote key was not made from serialized bytes on this endpoint");
  return key->memory();
}

void requireWithin(const core::RemoteMemory& memory, std::uint64_t offset, std::size_t size,
                   OperationKind kind) {
  if (memory.has(offset, size)) [[likely]]
    return;
  refuse(kind, fmt::format("{} bytes at offset {} do not lie within the {} bytes of the remote key",
                           size, offset, memory.key().size));
}

/// Where the memory is mapped, if that is all there is to know.
std::byte* placeAtOnce(const core::EndpointState& endpoint, const core::RemoteMemory& memory,
                       std::uint64_t offset) {
  const bool is_all = endpoint.phase.load(std::memory_order_relaxed) == EndpointPhase::Open &&
                      !endpoint.loop.options.delayed_submission &&
                      !endpoint.loop.options.request_attributes && !base::isForkedChild();
  return is_all ? memory.at(offset) : nullptr;
}

/// The key that goes with an address, and the offset in it.
std::shared_ptr<RemoteKey> keyFor(ucp_rkey_h handle, OperationKind kind) {
  std::shared_ptr<RemoteKey> key = core::keyOf(handle);
  if (key == nullptr)
    refuse(kind, fmt::format("{} is no handle of a remote key", static_cast<void*>(handle)));
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

/// What is wanted of a remote memory.
struct Endpoint::OneSided {
  OperationKind kind;
  void* buffer;
  std::size_t length;
  std::uint64_t offset;
  core::AtomicUpdate update{};
};

std::shared_ptr<Request> Endpoint::start(const OneSided& wanted,
                                         const std::shared_ptr<RemoteKey>& key,
                                         RequestCallbackUserFunction&& callback,
                                         RequestCallbackUserData&& data) {
  auto request = makeRequest<RequestMem>(wanted.kind, std::move(callback), std::move(data));
  core::Operation& op = request->operation();
  op.buffer = wanted.buffer;
  op.length = wanted.length;
  auto extra = std::make_unique<core::OneSidedExtra>();
  extra->memory = key->half();
  extra->offset = wanted.offset;
  extra->update = wanted.update;
  op.extra = std::move(extra);
  worker_->loop().submit(op);
  return request;
}

std::shared_ptr<Request> Endpoint::memPut(const void* buffer, std::size_t length,
                                          const std::shared_ptr<RemoteKey>& key,
                                          std::uint64_t offset, bool,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  constexpr auto kKind = OperationKind::MemPut;
  const core::RemoteMemory& memory = memoryOf(key.get(), *state_, kKind);
  core::requireBytes(buffer, length, kKind);
  core::requireHostMemory(buffer, kKind);
  requireWithin(memory, offset, length, kKind);
  if (std::byte* place = placeAtOnce(*state_, memory, offset);
      place != nullptr && callback == nullptr && length <= kMostAtOnce) {
    if (length != 0) std::memcpy(place, buffer, length);
    return core::ownerlessEndedRequest<RequestMem, kKind>();
  }
  return start({kKind, const_cast<void*>(buffer), length, offset}, key, std::move(callback),
               std::move(data));
}

std::shared_ptr<Request> Endpoint::memGet(void* buffer, std::size_t length,
                                          const std::shared_ptr<RemoteKey>& key,
                                          std::uint64_t offset, bool,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  constexpr auto kKind = OperationKind::MemGet;
  const core::RemoteMemory& memory = memoryOf(key.get(), *state_, kKind);
  core::requireBytes(buffer, length, kKind);
  core::requireHostMemory(buffer, kKind);
  requireWithin(memory, offset, length, kKind);
  if (const std::byte* place = placeAtOnce(*state_, memory, offset);
      place != nullptr && callback == nullptr && length <= kMostAtOnce) {
    if (length != 0) std::memcpy(buffer, place, length);
    return core::ownerlessEndedRequest<RequestMem, kKind>();
  }
  return start({kKind, buffer, length, offset}, key, std::move(callback), std::move(data));
}

std::shared_ptr<Request> Endpoint::start(const Atomic& wanted,
                                         const std::shared_ptr<RemoteKey>& key,
                                         std::uint64_t offset,
                                         RequestCallbackUserFunction&& callback,
                                         RequestCallbackUserData&& data) {
  constexpr auto kKind = OperationKind::Atomic;
  const core::RemoteMemory& memory = memoryOf(key.get(), *state_, kKind);
  requireWithin(memory, offset, wanted.word_bytes, kKind);
  const core::AtomicUpdate update{.operand = wanted.operand,
                                  .expected = wanted.expected,
                                  .operation = wanted.operation,
                                  .word_bytes = static_cast<std::uint8_t>(wanted.word_bytes),
                                  .fetches = static_cast<std::uint8_t>(wanted.fetches),
                                  .compares = static_cast<std::uint8_t>(wanted.compares)};
  if (!update.isValid())
    refuse(kKind, fmt::format("{} is no atomic operation", static_cast<int>(wanted.operation)));
  if (wanted.fetches && wanted.previous == nullptr)
    refuse(kKind, "there is no place for the value before; atomicPost needs none");
  if ((memory.key().base + offset) % wanted.word_bytes != 0)
    refuse(kKind, fmt::format("the word at offset {} is not aligned to its {} bytes", offset,
                              wanted.word_bytes));
  if (std::byte* place = placeAtOnce(*state_, memory, offset);
      place != nullptr && callback == nullptr) {
    const std::uint64_t before = update.apply(place);
    if (wanted.fetches) update.store(before, wanted.previous);
    return core::ownerlessEndedRequest<RequestMem, kKind>();
  }
  return start({kKind, wanted.previous, wanted.word_bytes, offset, update}, key,
               std::move(callback), std::move(data));
}

std::shared_ptr<Request> Endpoint::memPut(const void* buffer, std::size_t length,
                                          std::uint64_t address, ucp_rkey_h handle, bool future,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  const std::shared_ptr<RemoteKey> key = keyFor(handle, OperationKind::MemPut);
  const std::uint64_t offset = offsetIn(*key, address, length, OperationKind::MemPut);
  return memPut(buffer, length, key, offset, future, std::move(callback), std::move(data));
}

std::shared_ptr<Request> Endpoint::memGet(void* buffer, std::size_t length, std::uint64_t address,
                                          ucp_rkey_h handle, bool future,
                                          RequestCallbackUserFunction callback,
                                          RequestCallbackUserData data) {
  const std::shared_ptr<RemoteKey> key = keyFor(handle, OperationKind::MemGet);
  const std::uint64_t offset = offsetIn(*key, address, length, OperationKind::MemGet);
  return memGet(buffer, length, key, offset, future, std::move(callback), std::move(data));
}

}  // namespace ucxx
