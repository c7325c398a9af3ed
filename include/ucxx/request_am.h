// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

namespace ucxx {

/// An active message sent or received.
class UCXX_PUBLIC RequestAm : public Request {
 public:
  using Request::Request;
  std::shared_ptr<Buffer> getRecvBuffer() override;
  std::string getRecvHeader() override;
};

}  // namespace ucxx
