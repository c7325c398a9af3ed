// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <ucxx/request.h>
#include <ucxx/request_helper.h>
#include <ucxx/worker.h>

namespace ucxx {
namespace {

void waitFor(Worker& worker, Request& request) {
  // Asked anew each time: another thread may start or stop the progress thread meanwhile.
  while (!request.isCompleted()) {
    if (worker.isProgressThreadRunning())
      request.wait();
    else
      worker.progress();
  }
  request.checkError();
}

}  // namespace

void waitRequests(const std::shared_ptr<Worker>& worker,
                  const std::vector<std::shared_ptr<Request>>& requests) {
  for (const auto& request : requests) waitFor(*worker, *request);
}

void waitSingleRequest(const std::shared_ptr<Worker>& worker,
                       const std::shared_ptr<Request>& request) {
  waitFor(*worker, *request);
}

}  // namespace ucxx
