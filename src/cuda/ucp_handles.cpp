// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/ucp_handles.h"

#include <fmt/format.h>

#include <ucxx/worker.h>

#include "base/immortal.h"
#include "base/log.h"
#include "core/endpoint_state.h"
#include "core/loop.h"

namespace ucxx::cuda {
namespace {

/// Endpoints that were asked for, so that a post need not wait for the loop.
struct KnownEndpoints {
  std::mutex mutex;
  std::unordered_map<ucp_ep_h, std::weak_ptr<Endpoint>> all;
  std::size_t sweep_at = 64;

  std::shared_ptr<Endpoint> find(ucp_ep_h handle) {
    const std::lock_guard lock(mutex);
    const auto found = all.find(handle);
    return found == all.end() ? nullptr : found->second.lock();
  }
  void add(ucp_ep_h handle, const std::shared_ptr<Endpoint>& endpoint) {
    const std::lock_guard lock(mutex);
    if (all.size() >= sweep_at) {
      std::erase_if(all, [](const auto& entry) { return entry.second.expired(); });
      sweep_at = 64 + 2 * all.size();
    }
    all.insert_or_assign(handle, endpoint);
  }
};

KnownEndpoints& knownEndpoints() {
  static base::Immortal<KnownEndpoints> only;
  return *only;
}

std::shared_ptr<Endpoint> askLoop(ucp_ep_h handle) {
  if (handle == nullptr || !core::isOurs(handle)) return nullptr;
  const std::shared_ptr<Worker> worker = core::workerOf(handle);
  if (worker == nullptr) return nullptr;
  core::Loop& loop = worker->loop();
  std::shared_ptr<Endpoint> endpoint;
  loop.run([&] {
    const core::EndpointState* const state = loop.findEndpoint(core::idOf(handle));
    if (state != nullptr) endpoint = state->user.lock();
  });
  return endpoint;
}

}  // namespace

HandleTable<UcpCondition>& ucpConditions() {
  static base::Immortal<HandleTable<UcpCondition>> only;
  return *only;
}

std::shared_ptr<Endpoint> endpointOf(ucp_ep_h handle) {
  if (std::shared_ptr<Endpoint> known = knownEndpoints().find(handle)) return known;
  std::shared_ptr<Endpoint> endpoint = askLoop(handle);
  if (endpoint == nullptr)
    throw InvalidParamError(
        fmt::format("the endpoint {} is null or has gone; it is what ucxx::Endpoint::getHandle "
                    "gives, as long as that object lives",
                    static_cast<const void*>(handle)));
  knownEndpoints().add(handle, endpoint);
  return endpoint;
}

void tellCaller(const char* function, const char* text) noexcept {
  base::log(LogLevel::Error, "ucp", "{}: {}", function, text);
}

}  // namespace ucxx::cuda
