// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

namespace ucxx::local {
class PeerProcess;
}

namespace ucxx::core {

/// Keeps a block of library memory to which `process` may still write, though the link to it has
/// ended: until that process has ended, or for ever. Blocks whose process has ended by then go with
/// each call.
void strand(std::shared_ptr<void> block, const local::PeerProcess& process) noexcept;

}  // namespace ucxx::core
