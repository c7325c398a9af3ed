// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <stdexcept>

#include <ucxx/request.h>
#include <ucxx/request_helper.h>
#include <ucxx/worker.h>

#include "core/loop.h"
#include "core/patience.h"

namespace ucxx {
namespace {

/// A look at `worker` for a request of another one, whose end nothing here tells.
void lookFor(Worker& worker) {
  core::Loop& loop = worker.loop();
  if (loop.look()) return core::Patience::ofThisThread().begin();
  const base::Duration nap = loop.napOf(core::Loop::kMoment);
  if (nap.count() != 0) loop.sleep(nap);
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

Worker& required(const std::shared_ptr<Worker>& worker) {
  if (worker == nullptr)
    throw std::invalid_argument("waiting for requests needs their worker, not null");
  return *worker;
}

}  // namespace

void waitRequests(const std::shared_ptr<Worker>& worker,
                  const std::vector<std::shared_ptr<Request>>& requests) {
  for (const auto& request : requests) waitFor(required(worker), request);
}

void waitSingleRequest(const std::shared_ptr<Worker>& worker,
                       const std::shared_ptr<Request>& request) {
  waitFor(required(worker), request);
}

}  // namespace ucxx
