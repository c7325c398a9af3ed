// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

namespace ucxx::core {

struct Operation;

/// A pending one, for people.
std::string describeOperation(const Operation& op);

}  // namespace ucxx::core
