// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include <ucs/type/status.h>

#include <ucxx/exception.h>
#include <ucxx/export.h>

namespace ucxx::utils {

/// Throws the class of `status` with its text, behind `user_message` when there is one; nothing
/// when it is no error (OK, in progress).
UCXX_PUBLIC void ucsErrorThrow(ucs_status_t status, std::string user_message = {});

}  // namespace ucxx::utils
