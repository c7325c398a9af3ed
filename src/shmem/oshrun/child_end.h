// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <unistd.h>

namespace ucxx::shmem::oshrun {

/// A descriptor for a child that is about to be forked; oshrun closes its own copy. It is no
/// `base::FileDescriptor`, which a fork closes in the child.
struct ChildEnd {
  int fd = -1;

  ChildEnd() = default;
  ChildEnd(const ChildEnd&) = delete;
  ChildEnd& operator=(const ChildEnd&) = delete;
  ~ChildEnd() { reset(); }
  void reset() noexcept {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

}  // namespace ucxx::shmem::oshrun
