// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// shmemx.h.
#include "shmem/checks/failure.h"
#include "shmem/collectives/checks.h"
#include "shmem/collectives/data.h"
#include "shmem/joining/own_exchange.h"
#include "shmem/joining/start.h"
#include "shmem/waiting/wait_check.h"
#include "shmemx.h"

using namespace ucxx::shmem;

extern "C" [[gnu::visibility("default")]] int shmemx_init_with(int rank, int size,
                                                               shmemx_allgather_t allgather,
                                                               void* context, int requested,
                                                               int* provided) {
  return initializeWith({rank, size, allgather, context}, requested, *provided, __func__);
}

extern "C" [[gnu::visibility("default")]] shmemx_error_handler_t shmemx_set_error_handler(
    shmemx_error_handler_t handler) {
  return setErrorHandler(handler);
}

extern "C" [[gnu::visibility("default")]] void shmemx_set_warning_handler(
    shmemx_warning_handler_t handler, void* context) {
  setWarningHandler(handler, context);
}

extern "C" [[gnu::visibility("default")]] void shmemx_set_wait_check(shmemx_wait_check_t check,
                                                                     void* context) {
  setWaitCheck(check, context);
}

extern "C" [[gnu::visibility("default")]] int shmemx_collectmem(shmem_team_t team, void* dest,
                                                                std::size_t dest_bytes,
                                                                const void* source,
                                                                std::size_t bytes) {
  const char* const call = __func__;
  bool has_room = true;
  const int status = onTeam(team, call, [&](Team& members) {
    has_room = collect(members, dest, dest_bytes, source, bytes, call);
  });
  return has_room ? status : 1;
}
