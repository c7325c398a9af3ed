// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <functional>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "shmem/oshrun/signals.h"

namespace ucxx::shmem::oshrun {

/// What the process that runs the job knows of its guard.
struct GuardLink {
  /// The numbers of the signals that the guard passes on, a byte each. The end of the stream: the
  /// guard has been killed.
  base::FileDescriptor signals;
  pid_t pid;
};

/// oshrun is two processes, so that if one is killed the other still ends the job as a whole. The
/// one that the user has started, the guard, passes signals on to its child, which runs the job,
/// and exits with its status. A terminal or a shell signals the guard's process group, in which the
/// PEs are, too; the process that runs the job leaves it when it has started them (Job). Whatever
/// PEs leave behind becomes a child of the process that runs the job; if that is killed, it becomes
/// a child of the guard, which kills it.
///
/// Calls `run_job` in the child; returns, in both processes, the exit status; opens the signals in
/// both. To be called before the first descriptor of the library is opened: a forked child loses
/// those.
int guard(Signals& signals, const std::function<int(GuardLink)>& run_job);

}  // namespace ucxx::shmem::oshrun
