// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <variant>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/memory_handle.h>
#include <ucxx/remote_key.h>
#include <ucxx/remote_key_builder.h>
#include <ucxx/worker.h>

#include "base/immortal.h"
#include "core/loop.h"
#include "core/registered_memory.h"
#include "core/remote_keys.h"

namespace ucxx {
namespace core {
namespace {

/// Those that can be found by their handle.
struct Keys {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::weak_ptr<RemoteKey>> by_id;
};

Keys& keys() {
  static base::Immortal<Keys> all;
  return *all;
}

}  // namespace

std::shared_ptr<RemoteKey> keyOf(ucp_rkey_h handle) {
  const std::lock_guard lock(keys().mutex);
  const auto found = keys().by_id.find(idOf(handle));
  return found == keys().by_id.end() ? nullptr : found->second.lock();
}

}  // namespace core

RemoteKey::RemoteKey(std::shared_ptr<Component> parent, std::shared_ptr<core::RemoteMemory> memory)
    : Component(std::move(parent)), memory_(std::move(memory)) {}

RemoteKey::~RemoteKey() {
  if (memory_->handle() == 0 || base::isForkedChild()) return;
  const std::lock_guard lock(core::keys().mutex);
  core::keys().by_id.erase(memory_->handle());
}

SerializedRemoteKey RemoteKey::serialize() const { return core::writeMemoryKey(memory_->key()); }

std::size_t RemoteKey::getSize() const noexcept { return memory_->key().size; }

std::uint64_t RemoteKey::getBaseAddress() const noexcept { return memory_->key().base; }

ucp_rkey_h RemoteKey::getHandle() const noexcept {
  return memory_->handle() == 0 ? nullptr : core::handleOf<ucp_rkey_h>(memory_->handle());
}

void* RemoteKey::getPointer() {
  if (memory_->endpoint() == nullptr) return nullptr;
  if (memory_->begin() == nullptr) memory_->endpoint()->loop.run([this] { memory_->lookIfUp(); });
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
  const std::lock_guard lock(core::keys().mutex);
  core::keys().by_id.emplace(handle, made);
  return made;
}

RemoteKeyBuilder Endpoint::remoteKeyBuilder(const SerializedRemoteKey& serialized) {
  return {shared_from_this(), serialized};
}

}  // namespace ucxx
