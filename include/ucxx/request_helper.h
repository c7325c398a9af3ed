// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <vector>

#include <ucxx/export.h>

namespace ucxx {

class Request;
class Worker;

/// Progresses `worker` until each request has ended, in order; throws the first error it meets. It
/// waits as `Request::wait` does.
UCXX_PUBLIC void waitRequests(const std::shared_ptr<Worker>& worker,
                              const std::vector<std::shared_ptr<Request>>& requests);
UCXX_PUBLIC void waitSingleRequest(const std::shared_ptr<Worker>& worker,
                                   const std::shared_ptr<Request>& request);

}  // namespace ucxx
