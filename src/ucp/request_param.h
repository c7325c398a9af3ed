// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucp/api/ucp.h>

#include "ucp/worker.h"

namespace ucxx::ucp {

/// The one active-message id that UCXX uses; what a message is stands in our own header.
inline constexpr unsigned kMessageId = 0;

inline void finish(void* request, ucs_status_t status, void* user_data) noexcept {
  ucp_request_free(request);
  auto& completion = *static_cast<base::Completion*>(user_data);
  completion.done(completion, status);
}

/// The parameters of an operation that tells `completion` when it ends later.
inline ucp_request_param_t requestParam(base::Completion& completion) noexcept {
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.cb.send = [](void* request, ucs_status_t status, void* user_data) {
    finish(request, status, user_data);
  };
  param.user_data = &completion;
  return param;
}

/// OK or an error when UCX completed inline, UCS_INPROGRESS when the callback will tell.
inline ucs_status_t inlineStatus(ucs_status_ptr_t result) noexcept {
  return UCS_PTR_IS_PTR(result) ? UCS_INPROGRESS : UCS_PTR_STATUS(result);
}

}  // namespace ucxx::ucp
