// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucp/api/ucp.h>

#include <ucxx/prepared.h>

#include "ucp_c/handle_table.h"

namespace ucxx::ucp_c {

/// What `ucp_prepare_transfers` makes.
struct UcpPlan {
  std::shared_ptr<Prepared> plan;
  PreparedSend* send = nullptr;  // the same; null: it receives
  std::shared_ptr<Endpoint> endpoint;
  ucp_ep_h endpoint_handle = nullptr;
};

/// That of the caller's storage; throws `InvalidParamError` where there is none.
std::shared_ptr<UcpPlan> planIn(const void* prepared_memh);

}  // namespace ucxx::ucp_c
