// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <vector>

#include <ucxx/request.h>

#include "cuda/stream.h"

namespace ucxx::cuda {

/// `Request::waitOn` of all of them, by one wait of the stream. `what`: the call of the user.
void awaitAll(const Stream& stream, const std::vector<std::shared_ptr<Request>>& requests,
              bool caller_progresses, const char* what);

}  // namespace ucxx::cuda
