// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

namespace ucxx {

/// A tag send or receive.
class UCXX_PUBLIC RequestTag : public Request {
 public:
  using Request::Request;
};

}  // namespace ucxx
