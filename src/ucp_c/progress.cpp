// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// The progress of a worker, for C; what is not the library's goes to UCX.

#include <ucxx/ucp_transfers.h>
#include <ucxx/worker.h>

#include "ucp_c/calls.h"
#include "ucp_c/handles.h"

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
unsigned ucxx_worker_progress(ucp_worker_h worker) {
  unsigned moved = 0;
  asNothing("ucp_worker_progress", [&] {
    const std::shared_ptr<ucxx::Worker> its = libraryWorkerOf(worker);
    moved = its == nullptr ? ucp_worker_progress(worker) : its->progress() ? 1 : 0;
  });
  return moved;
}
// NOLINTEND(readability-identifier-naming)
