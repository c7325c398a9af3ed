// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

namespace ucxx {

/// Ends when the endpoint is closed.
class UCXX_PUBLIC RequestEndpointClose : public Request {
 public:
  using Request::Request;
};

}  // namespace ucxx
