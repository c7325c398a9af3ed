// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp_c/calls.h"

#include "base/log.h"

namespace ucxx::ucp_c {

void tellCaller(const char* function, const char* text) noexcept {
  base::log(LogLevel::Error, "ucp", "{}: {}", function, text);
}

}  // namespace ucxx::ucp_c
