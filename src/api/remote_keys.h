// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ucxx/remote_key.h>
#include <ucxx/request_data.h>

#include "core/request/operation_kind.h"

namespace ucxx::core {

/// Whose handle it is; null: of none that is still there. Any thread.
std::shared_ptr<RemoteKey> keyOf(ucp_rkey_h handle);

/// Where in the memory of a key.
struct KeyedPlace {
  std::shared_ptr<RemoteKey> key;  // null: the caller named none
  std::uint64_t offset;
};
/// Throws `InvalidParamError` for a handle that is none, or `size` bytes at an address that do not
/// lie within its memory.
KeyedPlace placeOf(const data::RemotePlace& place, std::size_t size, OperationKind kind);

}  // namespace ucxx::core
