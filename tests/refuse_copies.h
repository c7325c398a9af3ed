// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::test {

/// From now on the kernel refuses copies between processes to this one (seccomp, EPERM), and to
/// what it starts: as most containers do. For ever. False: it makes no such filter.
bool refuseCopies();

}  // namespace ucxx::test
