// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

/// Extensions: what OpenSHMEM 1.6 does not have. Each name begins with shmemx_ or SHMEMX_.
#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

// Start without oshrun ---------------------------------------------------------------------------

/// Gives each process of the job what all have brought: copies `bytes` from `mine`, and fills `all`
/// with the contributions of ranks 0, 1, ... in turn. Collective; returns 0, or another value where
/// it has failed, at best on all. `context` is the program's own.
typedef int (*shmemx_allgather_t)(const void* mine, void* all, size_t bytes, void* context);

/// shmem_init_thread for processes that something else has started (multiprocessing, MPI, a
/// scheduler of the program's own): process `rank` of `size` becomes PE `rank`. All run on one
/// machine, as one user, and in one network namespace. Collective; `allgather` is called once, and
/// not after the return. Returns 0; or another value on all processes, after a message to standard
/// error that names the cause. Where `allgather` has failed on some processes alone the others
/// learn that after 10 s. A process for which this has failed cannot become a PE later.
///
/// Static variables are not symmetric then, unless `size` is 1. Instead of a launcher the PEs watch
/// each other: a wait for one that has died ends the program within some tenths of a second. The
/// first initialisation of the process; later ones are shmem_init's, and need no exchange.
int shmemx_init_with(int rank, int size, shmemx_allgather_t allgather, void* context, int requested,
                     int* provided);

// Errors -----------------------------------------------------------------------------------------

/// Gets the text of an error that the standard lets no function return: an address that is not
/// symmetric, a call before shmem_init, with SHMEM_DEBUG any wrong argument. When it returns the
/// program is aborted, so a handler that wants to go on throws nothing and jumps nowhere: it writes
/// the text where it belongs.
typedef void (*shmemx_error_handler_t)(const char* text);

/// Null: the text goes to standard error, as at first. Returns the handler before. Any thread, at
/// any time.
shmemx_error_handler_t shmemx_set_error_handler(shmemx_error_handler_t handler);

/// Gets the text of what a function says when it fails and returns, such as why shmem_init_thread
/// or shmemx_init_with has returned another value than 0. The text is gone when the handler
/// returns. It throws nothing, jumps nowhere and calls nothing of OpenSHMEM. `context` is the
/// program's own.
typedef void (*shmemx_warning_handler_t)(const char* text, void* context);

/// For what the calling thread calls from now on. Null: the texts go to standard error, as at
/// first. Any thread, at any time.
void shmemx_set_warning_handler(shmemx_warning_handler_t handler, void* context);

// To leave a wait --------------------------------------------------------------------------------

/// Is asked by a wait whether it is to be left: any value but 0 means yes. The wait calls it on its
/// own thread, outside of signal handlers. The check throws nothing, jumps nowhere and does not
/// call shmem_finalize. It may call other functions, and set another check; a wait of its own asks,
/// too.
typedef int (*shmemx_wait_check_t)(void* context);

/// From now on these waits of the calling thread ask `check`: shmem_TYPE_wait_until, with _all,
/// _any, _some and their vectors, shmem_signal_wait_until, and the deprecated shmem_wait and
/// shmem_TYPE_wait. Collective functions and locks ask nobody. Each thread has a check of its own,
/// none at first, and null takes it away. `context` is the program's own. Any thread, at any time.
///
/// A wait that sleeps asks every 50 ms, and at once when a signal handler has interrupted its sleep
/// on this thread. A signal that comes just before a sleep is seen by the next question, so 60 ms
/// later at most. A wait that ends without a sleep does not ask.
///
/// A wait that is left returns at once, and what it waits for may not have happened: the program
/// looks at what its check has answered, or at the variables. wait_until_any then returns a
/// variable that is true after the check, or SIZE_MAX; wait_until_some those that are, or 0;
/// shmem_signal_wait_until the value that is there. Later waits ask again.
void shmemx_set_wait_check(shmemx_wait_check_t check, void* context);

// Collectives ------------------------------------------------------------------------------------

/// shmem_collectmem for a dest of `dest_bytes`: where the sources of all members are longer
/// together than the dest of one, it returns a value that is not 0, on all members, and has written
/// nothing. Returns 0 when it is done. The same thread rules as shmem_collectmem.
int shmemx_collectmem(shmem_team_t team, void* dest, size_t dest_bytes, const void* source,
                      size_t bytes);

#ifdef __cplusplus
}
#endif
