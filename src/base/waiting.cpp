// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/waiting.h"

namespace ucxx::base {

constinit std::atomic<const WaitHooks*> wait_hooks{nullptr};

}  // namespace ucxx::base
