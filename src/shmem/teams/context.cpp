// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/teams/context.h"

#include <memory>
#include <new>

#include "shmem/access/ordering.h"
#include "shmem/checks/failure.h"

namespace ucxx::shmem {
namespace {

constexpr long kOptions = SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE;

bool hasOption(const Context& context, long option) noexcept {
  return (context.options & option) != 0;
}

void checkUse(const Context* context, int member, const char* call) noexcept {
  if (!node.is_running) failNotRunning(call);
  if (context == nullptr) fail(call, "the context is SHMEM_CTX_INVALID");
  if (member < 0 || member >= context->team.size)
    fail(call, "PE %d does not exist: the last one of the context's team is %d", member,
         context->team.size - 1);
  if (hasOption(*context, SHMEM_CTX_PRIVATE) && context->owner != std::this_thread::get_id())
    fail(call, "a private context of another thread: only the thread that made it may use it");
}

}  // namespace

Context* createContext(Team& team, long options) noexcept try {
  if ((options & ~kOptions) != 0) return nullptr;
  auto context = std::make_unique<Context>(Context{team, options, std::this_thread::get_id()});
  const std::lock_guard lock(team.mutex);
  team.contexts.push_back(context.get());
  return context.release();
} catch (const std::bad_alloc&) {
  return nullptr;
}

void destroyContext(Context* context) noexcept {
  if (context == nullptr) return;
  quiet();
  {
    Team& team = context->team;
    const std::lock_guard lock(team.mutex);
    std::erase(team.contexts, context);
  }
  delete context;
}

void destroyContextsOf(Team& team) noexcept {
  const std::lock_guard lock(team.mutex);
  for (Context* const context : team.contexts) delete context;
  team.contexts.clear();
}

int peOfMember(shmem_ctx_t handle, int member, const char* call) noexcept {
  const Context* const context = contextOf(handle);
  if (node.fast_heap == 0) [[unlikely]]
    checkUse(context, member, call);
  return context->team.peOf(member);
}

// Also with NOSTORE: a put is a store of this processor.
void quietOn(shmem_ctx_t handle) noexcept {
  if (handle != SHMEM_CTX_INVALID) quiet();
}

void fenceOn(shmem_ctx_t handle) noexcept {
  if (handle != SHMEM_CTX_INVALID) fence();
}

}  // namespace ucxx::shmem
