// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <thread>

#include "shmem/teams/team.h"

namespace ucxx::shmem {

/// What a handle of the program stands for. Inside a node a context has nothing under way, so what
/// is left of it is whose numbers its PEs are.
struct Context {
  Team& team;
  long options;
  std::thread::id owner;  ///< of a private one
};

/// Null for SHMEM_CTX_INVALID; not for SHMEM_CTX_DEFAULT.
inline Context* contextOf(shmem_ctx_t handle) noexcept {
  return reinterpret_cast<Context*>(handle);
}

/// Null: no memory, or options that do not exist. Any thread.
Context* createContext(Team& team, long options) noexcept;
/// Null: nothing.
void destroyContext(Context* context) noexcept;
void destroyContextsOf(Team& team) noexcept;

/// The PE of the job that a number means on a context other than the default one.
int peOfMember(shmem_ctx_t handle, int member, const char* call) noexcept;

/// ... on any context.
inline int peOn(shmem_ctx_t handle, int member, const char* call) noexcept {
  if (handle == SHMEM_CTX_DEFAULT) return member;
  return peOfMember(handle, member, call);
}

/// SHMEM_CTX_INVALID: nothing.
void quietOn(shmem_ctx_t handle) noexcept;
void fenceOn(shmem_ctx_t handle) noexcept;

}  // namespace ucxx::shmem
