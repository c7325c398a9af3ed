// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <span>

#include <sys/types.h>

#include "door/door.h"

namespace ucxx::door {

// As `sendSome` and `receiveSome` (door/socket.h), with descriptors beside the bytes.

/// `descriptors` (EINVAL: more than kMaxDescriptors) go with the first byte, so with any that goes.
ssize_t sendWith(int socket, std::span<const std::byte> bytes,
                 std::span<const int> descriptors) noexcept;
/// What came with the bytes is appended to `descriptors`. EBADMSG: more than kMaxDescriptors;
/// EMFILE: more than this process may open now. Those that did come are appended all the same.
ssize_t receiveWith(int socket, std::span<std::byte> into, Descriptors& descriptors);

}  // namespace ucxx::door
