// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

namespace ucxx {

/// Ends when everything posted before it has ended.
class UCXX_PUBLIC RequestFlush : public Request {
 public:
  using Request::Request;
};

}  // namespace ucxx
