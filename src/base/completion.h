// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucs/type/status.h>

namespace ucxx::base {

/// What a channel tells when an operation that did not complete inline ends. Embedded in whatever
/// waits for it; `done` may destroy it.
struct Completion {
  void (*done)(Completion& self, ucs_status_t status) = nullptr;
};

}  // namespace ucxx::base
