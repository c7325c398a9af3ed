// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Set-up, exit, query; memory of the symmetric heap; locks; profiling control.
#include <cstring>

#include "shmem/api/define.h"
#include "shmem/checks/failure.h"
#include "shmem/joining/exit.h"
#include "shmem/joining/start.h"
#include "shmem/memory/allocation.h"
#include "shmem/memory/heap.h"
#include "shmem/memory/locate.h"
#include "shmem/waiting/lock.h"

namespace ucxx::shmem {
namespace {

bool isPe(int pe) noexcept { return node.is_running && pe >= 0 && pe < node.pes; }

void* pointerTo(const void* dest, int pe) noexcept {
  return isPe(pe) ? addressAt(dest, pe) : nullptr;
}

void* allocatePlain(std::size_t bytes, const char* call) noexcept {
  return allocate(bytes, Heap::kLeastAlignment, Filled::No, call);
}

}  // namespace
}  // namespace ucxx::shmem

using namespace ucxx::shmem;

UCXX_SHMEM_DEFINE(void, init, (void), { initializeOrEnd(SELF); })
UCXX_SHMEM_DEFINE(int, init_thread, (int requested, int* provided),
                  { return initialize(requested, *provided, SELF); })
UCXX_SHMEM_DEFINE(void, finalize, (void), { finalize(SELF); })
UCXX_SHMEM_DEFINE(void, query_initialized, (int* initialized), { *initialized = isInitialized(); })
UCXX_SHMEM_DEFINE(void, query_thread, (int* provided), { *provided = threadLevel(); })
UCXX_SHMEM_DEFINE(void, global_exit, (int status), { exitAll(status); })

UCXX_SHMEM_DEFINE(int, my_pe, (void), { return ownPe(SELF); })
UCXX_SHMEM_DEFINE(int, n_pes, (void), { return pesOfJob(SELF); })
UCXX_SHMEM_DEFINE(int, pe_accessible, (int pe), { return isPe(pe); })
UCXX_SHMEM_DEFINE(int, addr_accessible, (const void* addr, int pe),
                  { return isPe(pe) && addressAt(addr, pe) != nullptr; })
UCXX_SHMEM_DEFINE(void*, ptr, (const void* dest, int pe), { return pointerTo(dest, pe); })
UCXX_SHMEM_DEFINE(void*, team_ptr, (shmem_team_t team, const void* dest, int pe), {
  const Team* const members = teamOf(team);
  if (members == nullptr || pe < 0 || pe >= members->size) return nullptr;
  return pointerTo(dest, members->peOf(pe));
})
UCXX_SHMEM_DEFINE(void, info_get_version, (int* major, int* minor), {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
})
UCXX_SHMEM_DEFINE(void, info_get_name, (char* name), { std::strcpy(name, SHMEM_VENDOR_STRING); })

UCXX_SHMEM_DEFINE(void*, malloc, (size_t size), { return allocatePlain(size, SELF); })
UCXX_SHMEM_DEFINE(void*, malloc_with_hints, (size_t size, long),
                  { return allocatePlain(size, SELF); })
UCXX_SHMEM_DEFINE(void*, calloc, (size_t count, size_t size),
                  { return allocateCleared(count, size, SELF); })
UCXX_SHMEM_DEFINE(void*, align, (size_t alignment, size_t size),
                  { return allocateAligned(alignment, size, SELF); })
UCXX_SHMEM_DEFINE(void*, realloc, (void* ptr, size_t size), { return reallocate(ptr, size, SELF); })
UCXX_SHMEM_DEFINE(void, free, (void* ptr), { release(ptr, SELF); })

UCXX_SHMEM_DEFINE(void, set_lock, (long* lock), { setLock(lock, SELF); })
UCXX_SHMEM_DEFINE(int, test_lock, (long* lock), { return tryLock(lock, SELF) ? 0 : 1; })
UCXX_SHMEM_DEFINE(void, clear_lock, (long* lock), { clearLock(lock, SELF); })

UCXX_SHMEM_DEFINE(void, pcontrol, (int, ...), {})
