// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/am_types.h>

namespace ucxx::ucp_c {

/// The receiver callback of C++ that an id of C is.
inline AmReceiverCallbackInfo callbackOf(unsigned id) { return {"ucp", id}; }

}  // namespace ucxx::ucp_c
