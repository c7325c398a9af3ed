// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <stdexcept>
#include <variant>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/memory_handle.h>
#include <ucxx/remote_key.h>
#include <ucxx/remote_key_builder.h>
#include <ucxx/worker.h>

#include "base/file_descriptor.h"
#include "core/loop/loop.h"
#include "core/loop/posts.h"
#include "core/onesided/memory_key.h"
#include "core/onesided/registered_memory.h"
#include "core/onesided/remote_memory.h"
#include "core/request/endpoint_core.h"
#include "core/request/handles.h"
#include "core/request/weak_table.h"

namespace ucxx {
namespace core {

std::shared_ptr<RemoteKey> keyOf(ucp_rkey_h handle) {
  return isOurs(handle) ? WeakTable<RemoteKey>::all().find(idOf(handle)) : nullptr;
}

}  // namespace core

RemoteKey::RemoteKey(std::shared_ptr<Component> parent, std::shared_ptr<core::RemoteMemory> memory)
    : Component(std::move(parent)), memory_(std::move(memory)) {}

RemoteKey::~RemoteKey() {
  if (memory_->handle() == 0 || base::isForkedChild()) return;
  core::WeakTable<RemoteKey>::all().remove(memory_->handle());
}

SerializedRemoteKey RemoteKey::serialize() const { return core::writeMemoryKey(memory_->key()); }

std::size_t RemoteKey::getSize() const noexcept { return memory_->key().size; }

std::uint64_t RemoteKey::getBaseAddress() const noexcept { return memory_->key().base; }

ucp_rkey_h RemoteKey::getHandle() const noexcept {
  return memory_->handle() == 0 ? nullptr : core::handleOf<ucp_rkey_h>(memory_->handle());
}

void* RemoteKey::getPointer() {
  if (memory_->endpoint() == nullptr) return nullptr;
  if (memory_->begin() == nullptr)
    memory_->endpoint()->loop.posts.run([this] { memory_->lookIfUp(); });
  return memory_->begin();
}

std::shared_ptr<RemoteKey> RemoteKeyBuilder::build() {
  if (auto* memory = std::get_if<std::shared_ptr<MemoryHandle>>(&source_))
    return createRemoteKeyFromMemoryHandle(*memory);
  const auto& [endpoint, bytes] = std::get<Serialized>(source_);
  return createRemoteKeyFromSerialized(endpoint, bytes);
}

std::shared_ptr<RemoteKey> createRemoteKeyFromMemoryHandle(std::shared_ptr<MemoryHandle> memory) {
  if (memory == nullptr) throw std::invalid_argument("remote key: the memory handle is null");
  auto half = std::make_shared<core::RemoteMemory>(memory->memory().key());
  return std::shared_ptr<RemoteKey>(new RemoteKey(std::move(memory), std::move(half)));
}

std::shared_ptr<RemoteKey> createRemoteKeyFromSerialized(std::shared_ptr<Endpoint> endpoint,
                                                         SerializedRemoteKey serialized) {
  if (endpoint == nullptr) throw std::invalid_argument("remote key: the endpoint is null");
  const auto key = core::readMemoryKey(serialized);
  if (!key)
    throw std::overflow_error(fmt::format(
        "remote key: {} bytes that no key of this version has serialized", serialized.size()));
  auto half = std::make_shared<core::RemoteMemory>(*key, endpoint->state(), core::nextId());
  const std::uint64_t handle = half->handle();
  std::shared_ptr<RemoteKey> made(new RemoteKey(std::move(endpoint), std::move(half)));
  core::WeakTable<RemoteKey>::all().add(handle, made);
  return made;
}

RemoteKeyBuilder Endpoint::remoteKeyBuilder(const SerializedRemoteKey& serialized) {
  return {shared_from_this(), serialized};
}

}  // namespace ucxx
