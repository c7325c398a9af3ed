// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/operation.h"

namespace ucxx::core {

/// What it moves, for people: "tag send, 8 bytes, tag 0x2"; a flush and a close move nothing.
/// `tag` is the offset, where there is one instead.
std::string describeTransfer(OperationKind kind, std::size_t length, std::uint64_t tag);
/// The same number of `op`.
std::uint64_t tagOrOffset(const Operation& op) noexcept;
/// A pending one, for people.
std::string describeOperation(const Operation& op);

}  // namespace ucxx::core
