// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <new>

#include <fmt/format.h>

#include <ucxx/context.h>
#include <ucxx/exception.h>
#include <ucxx/memory_handle.h>
#include <ucxx/remote_key.h>

#include "base/file_descriptor.h"
#include "core/onesided/memory_key.h"
#include "core/onesided/registered_memory.h"
#include "core/request/device_memory.h"
#include "core/request/handles.h"
#include "core/request/weak_table.h"

namespace ucxx {

namespace core {

std::shared_ptr<MemoryHandle> memoryOf(ucp_mem_h handle) {
  return isOurs(handle) ? WeakTable<MemoryHandle>::all().find(idOf(handle)) : nullptr;
}

}  // namespace core

std::shared_ptr<MemoryHandle> Context::createMemoryHandle(std::size_t size, void* buffer,
                                                          ucs_memory_type_t memory_type) {
  return ucxx::createMemoryHandle(shared_from_this(), size, buffer, memory_type);
}

MemoryHandleBuilder Context::memoryHandleBuilder(std::size_t size) {
  return {shared_from_this(), size};
}

MemoryHandle::MemoryHandle(std::shared_ptr<Context> context,
                           std::unique_ptr<core::RegisteredMemory> memory)
    : Component(std::move(context)), memory_(std::move(memory)) {}

MemoryHandle::~MemoryHandle() {
  if (!base::isForkedChild()) core::WeakTable<MemoryHandle>::all().remove(core::idOf(getHandle()));
}

std::size_t MemoryHandle::getSize() const noexcept { return memory_->key().size; }

std::uint64_t MemoryHandle::getBaseAddress() const noexcept { return memory_->key().base; }

ucs_memory_type_t MemoryHandle::getMemoryType() const noexcept { return UCS_MEMORY_TYPE_HOST; }

ucp_mem_h MemoryHandle::getHandle() const noexcept {
  return core::handleOf<ucp_mem_h>(memory_->key().id & ~core::kHandleMark);
}

std::shared_ptr<RemoteKey> MemoryHandle::createRemoteKey() {
  return createRemoteKeyFromMemoryHandle(shared_from_this());
}

RemoteKeyBuilder MemoryHandle::remoteKeyBuilder() { return RemoteKeyBuilder(shared_from_this()); }

std::shared_ptr<MemoryHandle> MemoryHandleBuilder::build() {
  return createMemoryHandle(context_, size_, buffer_, memory_type_);
}

std::shared_ptr<MemoryHandle> createMemoryHandle(std::shared_ptr<Context> context, std::size_t size,
                                                 void* buffer, ucs_memory_type_t memory_type) {
  if (context == nullptr) throw std::invalid_argument("memory handle: the context is null");
  if (size > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(buffer))
    throw InvalidParamError(
        fmt::format("memory handle: {} bytes at {} do not lie in memory", size, buffer));
  const bool is_of_device = buffer != nullptr && core::isDeviceMemory(buffer);
  if (memory_type != UCS_MEMORY_TYPE_HOST || is_of_device)
    throw UnsupportedError(
        fmt::format("memory handle: {} bytes at {} of memory type {}; host memory is needed", size,
                    buffer, static_cast<int>(memory_type)));
  try {
    auto memory = std::make_unique<core::RegisteredMemory>(size, buffer);
    std::shared_ptr<MemoryHandle> made(new MemoryHandle(std::move(context), std::move(memory)));
    core::WeakTable<MemoryHandle>::all().add(core::idOf(made->getHandle()), made);
    return made;
  } catch (const std::bad_alloc&) {
    throw NoMemoryError(fmt::format("memory handle: no memory for {} bytes", size));
  }
}

}  // namespace ucxx
