// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::core::test {

/// Bulk rings get memory from now on; false: they do not, as by an older kernel. Who sets it sets
/// it back.
void setBulkMemory(bool available);

}  // namespace ucxx::core::test
