// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <vector>

#include <ucxx/export.h>

namespace ucxx {

class Request;
class Worker;

namespace detail {
UCXX_PUBLIC void waitRequests(const std::shared_ptr<Worker>& worker,
                              const std::vector<std::shared_ptr<Request>>& requests);
}

// Templates without need: a program that has functions of these names of its own, and calls them
// unqualified, gets its own.

/// Progresses `worker` until each request has ended, in order; throws the first error it meets. It
/// waits as `Request::wait` does.
template <int = 0>
void waitRequests(const std::shared_ptr<Worker>& worker,
                  const std::vector<std::shared_ptr<Request>>& requests) {
  detail::waitRequests(worker, requests);
}
template <int = 0>
void waitSingleRequest(const std::shared_ptr<Worker>& worker,
                       const std::shared_ptr<Request>& request) {
  detail::waitRequests(worker, {request});
}

}  // namespace ucxx
