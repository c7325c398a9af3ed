// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace ucxx::core::test {

/// The kernel copies between processes here, and two of them may do so at once.
inline bool canBothCopy() {
  int from = 1, to = 0;
  const iovec own{&to, sizeof to}, theirs{&from, sizeof from};
  return ::sysconf(_SC_NPROCESSORS_ONLN) > 1 &&
         ::syscall(SYS_process_vm_readv, ::getpid(), &own, 1, &theirs, 1, 0) == sizeof to;
}

}  // namespace ucxx::core::test
