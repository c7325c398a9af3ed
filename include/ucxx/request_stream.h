// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

namespace ucxx {

/// Bytes sent to or received from a stream.
class UCXX_PUBLIC RequestStream : public Request {
 public:
  using Request::Request;
};

}  // namespace ucxx
