// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <fmt/format.h>

#include "base/id128.h"

/// As `toString`, but made where the text is: a line that is not logged costs nothing, and one that
/// there is no memory for is lost, not thrown.
template <>
struct fmt::formatter<ucxx::base::Id128> {
  constexpr auto parse(fmt::format_parse_context& context) const { return context.begin(); }
  auto format(const ucxx::base::Id128& id, fmt::format_context& context) const {
    return fmt::format_to(context.out(), "{:016x}{:016x}", id.high, id.low);
  }
};
