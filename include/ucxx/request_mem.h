// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

namespace ucxx {

/// A put, a get or an atomic operation.
class UCXX_PUBLIC RequestMem : public Request {
 public:
  using Request::Request;
};

}  // namespace ucxx
