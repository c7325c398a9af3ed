// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>

#include <ucxx/typedefs.h>

namespace ucxx::core {

/// Names what programs hold a handle of, but for memory, whose key has a number by chance: never
/// used twice in a process, never 0.
std::uint64_t nextId() noexcept;

/// Above what any address can be: handles of the library and UCX's, which are pointers, never meet.
inline constexpr std::uint64_t kHandleMark = std::uint64_t{0x5558} << 48;

/// The handle that users hold of `id`, in one of UCX's types.
template <class Handle>
Handle handleOf(std::uint64_t id) noexcept {
  return reinterpret_cast<Handle>(kHandleMark | id);
}
inline std::uint64_t idOf(const void* handle) noexcept {
  return reinterpret_cast<std::uint64_t>(handle) & ~kHandleMark;
}
inline bool isOurs(const void* handle) noexcept {
  return (reinterpret_cast<std::uint64_t>(handle) & kHandleMark) == kHandleMark;
}

/// @name Whose they are, for those who have nothing but the handle. Any thread.
/// @{
void enlistHandle(std::uint64_t id, std::weak_ptr<Worker> worker);
/// The user's half of the endpoint `id`, which is listed: known from then on without its loop.
void nameEndpoint(std::uint64_t id, std::weak_ptr<Endpoint> endpoint) noexcept;
void delistHandle(std::uint64_t id) noexcept;
/// Null when it is over, or its worker.
std::shared_ptr<Worker> workerOf(const void* handle);
/// Null: the handle is no endpoint's, or nobody holds that endpoint any more. Never waits for a
/// loop: a callback may ask for an endpoint of another worker, whose callback asks for one of this.
std::shared_ptr<Endpoint> endpointNamed(const void* handle);
/// @}

/// Whose handle of UCX's it is: a worker's or a context's, which are addresses.
template <class Object>
struct KnownOfUcp {
  std::shared_ptr<Object> object;  ///< null: nobody's that lives
  bool has_ended = false;          ///< it was one's that has ended
};

/// @name UCX's own handles that programs are given. Any thread.
/// @{
void enlistUcpWorker(ucp_worker_h handle, std::weak_ptr<Worker> worker);
void enlistUcpContext(ucp_context_h handle, std::weak_ptr<Context> context);
KnownOfUcp<Worker> workerOfUcp(ucp_worker_h handle);
KnownOfUcp<Context> contextOfUcp(ucp_context_h handle);
/// UCX has given the address to somebody else.
void forgetEnded(ucp_worker_h handle) noexcept;
void forgetEnded(ucp_context_h handle) noexcept;
/// @}

}  // namespace ucxx::core
