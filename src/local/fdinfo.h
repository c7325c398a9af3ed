// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ucxx::local {

/// What the kernel says about a descriptor of this process in /proc/self/fdinfo, after "key:" and
/// its blanks; nothing if this kind of descriptor has no such line. Throws if there is no /proc.
std::optional<std::string> fdinfo(int descriptor, std::string_view key);

}  // namespace ucxx::local
