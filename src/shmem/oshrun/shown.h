// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <string_view>

namespace ucxx::shmem::oshrun {

/// A word of a user or of a file, for a message: in quotes where its begin or end could not be seen
/// otherwise, cut where it is long, and without what a terminal would obey.
std::string shown(std::string_view word);

}  // namespace ucxx::shmem::oshrun
