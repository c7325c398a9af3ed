// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <ucxx/component.h>

namespace ucxx {

Component::~Component() = default;

}  // namespace ucxx
