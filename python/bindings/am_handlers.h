// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "python.h"

namespace ucxx::python {

/// The owner of the ids of Python's handlers, as programs in C++ name them
/// (AmReceiverCallbackInfo).
constexpr const char kAmOwner[] = "python";

/// Has `worker._on_am(id, request, handle of the endpoint)` called for each active message of that
/// id, where events of the worker run. Throws for an id that is taken.
void handleAm(nb::handle worker, std::uint64_t id);

}  // namespace ucxx::python
