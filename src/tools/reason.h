// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <system_error>

namespace ucxx::tools {

/// What the system says of an errno.
inline std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace ucxx::tools
