// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/export.h>

namespace ucxx::cuda {

/// Asked while a post of this thread waits for room in its stream, where the caller is part of the
/// library (the Python package). As long as it lives; the innermost is asked.
class RoomWaiter {
 public:
  RoomWaiter(const RoomWaiter&) = delete;
  RoomWaiter& operator=(const RoomWaiter&) = delete;

  /// False: this thread must not wait, or not any longer. True where nobody is to be asked.
  static bool mayWait() { return innermost == nullptr || innermost->mayGoOn(); }

 protected:
  RoomWaiter() noexcept : outer_(innermost) { innermost = this; }
  ~RoomWaiter() { innermost = outer_; }

 private:
  /// Before the first wait, and then each 50 ms. What it throws ends the post, of which nothing has
  /// happened.
  virtual bool mayGoOn() = 0;

  static UCXX_PUBLIC constinit thread_local RoomWaiter* innermost;

  RoomWaiter* const outer_;
};

}  // namespace ucxx::cuda
