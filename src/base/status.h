// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include <ucs/type/status.h>

namespace ucxx::base {

/// Throws the class of `status` (`ucxx/exception.h`) with `message`; `Error` itself for a status
/// that has no class, `UCS_OK` included. The text of the status is the caller's to put into
/// `message`.
[[noreturn]] void throwStatus(ucs_status_t status, const std::string& message);

}  // namespace ucxx::base
