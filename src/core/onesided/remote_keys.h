// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/remote_key.h>

namespace ucxx::core {

/// Whose handle it is; null: of none that is still there. Any thread.
std::shared_ptr<RemoteKey> keyOf(ucp_rkey_h handle);

}  // namespace ucxx::core
