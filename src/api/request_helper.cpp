// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <ucxx/request.h>
#include <ucxx/request_helper.h>
#include <ucxx/worker.h>

#include "base/clock.h"
#include "core/loop/loop.h"
#include "core/loop/patience.h"
#include "core/loop/sleeper.h"
#include "core/request/operation.h"
#include "core/request/required.h"

namespace ucxx {
namespace {

/// A look at `worker` for a request of another one, whose end nothing here tells.
void lookFor(Worker& worker) {
  core::Loop& loop = worker.loop();
  if (loop.look()) return core::Patience::ofThisThread().begin();
  const base::Duration nap = loop.sleeper.napOf(core::Sleeper::kMoment);
  if (nap.count() != 0) loop.sleeper.sleep(nap);
}

/// `close()` of what is closed gives no request: there is nothing to wait for.
void waitFor(Worker& worker, const std::shared_ptr<Request>& request) {
  if (request == nullptr) return;
  const bool is_its = request->operation().loop == &worker.loop();
  // Asked anew each time: another thread may start or stop the progress thread meanwhile.
  while (!request->isCompleted()) {
    if (is_its || worker.isProgressThreadRunning())
      request->wait();
    else
      lookFor(worker);
  }
  request->checkError();
}

}  // namespace

void detail::waitRequests(const std::shared_ptr<Worker>& worker,
                          const std::vector<std::shared_ptr<Request>>& requests) {
  for (const auto& request : requests)
    waitFor(core::required(worker, "the worker of requests that are waited for"), request);
}

}  // namespace ucxx
