// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/handles.h"

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
  std::unordered_map<ucp_worker_h, std::weak_ptr<Worker>> workers_of_ucp;
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

void enlistUcpWorker(ucp_worker_h handle, std::weak_ptr<Worker> worker) {
  const std::lock_guard lock(table().mutex);
  // UCX may use the address of one that has gone again.
  auto& workers = table().workers_of_ucp;
  std::erase_if(workers, [](const auto& entry) { return entry.second.expired(); });
  workers.insert_or_assign(handle, std::move(worker));
}

std::shared_ptr<Worker> workerOfUcp(ucp_worker_h handle) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().workers_of_ucp.find(handle);
  return found == table().workers_of_ucp.end() ? nullptr : found->second.lock();
}

}  // namespace ucxx::core
