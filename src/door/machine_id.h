// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/id128.h"

namespace ucxx::door {

/// A name that processes of one running machine have in common, containers included: a hint for
/// `Hello::machine`, since a copied virtual machine has the same one. Zero if the system tells
/// none.
base::Id128 machineId();

}  // namespace ucxx::door
