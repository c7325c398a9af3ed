// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <ucp/api/ucp.h>

#include <ucxx/utils/ucx.h>

#include "base/status.h"

namespace ucxx::utils {

void ucsErrorThrow(ucs_status_t status, std::string user_message) {
  if (!UCS_STATUS_IS_ERR(status)) return;
  if (!user_message.empty()) user_message += ": ";
  base::throwStatus(status, user_message += ucs_status_string(status));
}

}  // namespace ucxx::utils
