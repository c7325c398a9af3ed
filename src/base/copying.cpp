// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/copying.h"

namespace ucxx::base {

constinit std::atomic<BeforeCopy> before_copy{nullptr};

}  // namespace ucxx::base
