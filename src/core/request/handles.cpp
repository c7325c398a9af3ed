// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/request/handles.h"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "base/immortal.h"

namespace ucxx::core {
namespace {

struct Listed {
  std::weak_ptr<Worker> worker;
  std::weak_ptr<Endpoint> endpoint;
};

struct Table {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, Listed> handles;
};

Table& table() {
  static base::Immortal<Table> table;
  return *table;
}

}  // namespace

std::uint64_t nextId() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void enlistHandle(std::uint64_t id, std::weak_ptr<Worker> worker) {
  const std::lock_guard lock(table().mutex);
  table().handles.emplace(id, Listed{std::move(worker), {}});
}

void nameEndpoint(std::uint64_t id, std::weak_ptr<Endpoint> endpoint) noexcept {
  const std::lock_guard lock(table().mutex);
  const auto found = table().handles.find(id);
  if (found != table().handles.end()) found->second.endpoint = std::move(endpoint);
}

void delistHandle(std::uint64_t id) noexcept {
  const std::lock_guard lock(table().mutex);
  table().handles.erase(id);
}

std::shared_ptr<Worker> workerOf(const void* handle) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().handles.find(idOf(handle));
  return found == table().handles.end() ? nullptr : found->second.worker.lock();
}

std::shared_ptr<Endpoint> endpointNamed(const void* handle) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().handles.find(idOf(handle));
  return found == table().handles.end() ? nullptr : found->second.endpoint.lock();
}

namespace {

/// Those that have ended stay in it: there are no more than addresses that UCX has used.
template <class Object>
struct OfUcp {
  std::mutex mutex;
  std::unordered_map<const void*, std::weak_ptr<Object>> by_handle;

  static OfUcp& all() {
    static base::Immortal<OfUcp> only;
    return *only;
  }
  void enlist(const void* handle, std::weak_ptr<Object> object) {
    const std::lock_guard lock(mutex);
    by_handle.insert_or_assign(handle, std::move(object));
  }
  KnownOfUcp<Object> find(const void* handle) {
    const std::lock_guard lock(mutex);
    const auto found = by_handle.find(handle);
    if (found == by_handle.end()) return {};
    std::shared_ptr<Object> object = found->second.lock();
    const bool has_ended = object == nullptr;
    return {std::move(object), has_ended};
  }
  void forgetEnded(const void* handle) noexcept {
    const std::lock_guard lock(mutex);
    const auto found = by_handle.find(handle);
    if (found != by_handle.end() && found->second.expired()) by_handle.erase(found);
  }
};

}  // namespace

void enlistUcpWorker(ucp_worker_h handle, std::weak_ptr<Worker> worker) {
  OfUcp<Worker>::all().enlist(handle, std::move(worker));
}

void enlistUcpContext(ucp_context_h handle, std::weak_ptr<Context> context) {
  OfUcp<Context>::all().enlist(handle, std::move(context));
}

KnownOfUcp<Worker> workerOfUcp(ucp_worker_h handle) { return OfUcp<Worker>::all().find(handle); }

KnownOfUcp<Context> contextOfUcp(ucp_context_h handle) {
  return OfUcp<Context>::all().find(handle);
}

void forgetEnded(ucp_worker_h handle) noexcept { OfUcp<Worker>::all().forgetEnded(handle); }

void forgetEnded(ucp_context_h handle) noexcept { OfUcp<Context>::all().forgetEnded(handle); }

}  // namespace ucxx::core
