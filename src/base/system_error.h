// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include <ucs/type/status.h>

namespace ucxx::base {

/// What an errno of the kernel means to the caller of a transport.
ucs_status_t statusOfErrno(int error) noexcept;

/// Throws the class of `statusOfErrno(error)` with "what: the system's text".
[[noreturn]] void throwErrno(int error, const std::string& what);

}  // namespace ucxx::base
