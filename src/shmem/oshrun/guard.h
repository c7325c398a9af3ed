// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <functional>

#include "base/file_descriptor.h"
#include "shmem/oshrun/signals.h"

namespace ucxx::shmem::oshrun {

/// How the guard speaks to the process that runs the job: a byte for each signal, its number. The
/// end of the stream says that the guard has been killed.
using Orders = base::FileDescriptor;

/// oshrun is two processes, so that either can be killed and the job still ends as a whole. The one
/// that the user has started, the guard, passes signals on to its child, which runs the job, and
/// exits with its status. Whatever PEs leave behind becomes a child of the process that runs the
/// job; if that is killed, it becomes a child of the guard, which kills it.
///
/// Calls `run_job` in the child; returns, in both processes, the exit status; opens the signals in
/// both. To be called before the first descriptor of the library is opened: a forked child loses
/// those.
int guard(Signals& signals, const std::function<int(Orders)>& run_job);

}  // namespace ucxx::shmem::oshrun
