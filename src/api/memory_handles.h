// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/memory_handle.h>

namespace ucxx::core {

/// Whose handle it is; null: of none that is still there. Any thread.
std::shared_ptr<MemoryHandle> memoryOf(ucp_mem_h handle);

}  // namespace ucxx::core
