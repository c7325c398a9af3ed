// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// The context in which this thread allocates memory of a device, current while this lives: the one
/// that is so already, or, in a thread that has none, as a progress thread, the primary context of
/// the device that `useFromNowOn` was given last, at first device 0.
class AllocatingContext {
 public:
  /// Throws `UnsupportedError` where there is no driver, and where nobody has initialised it:
  /// which is the program's to do. `what`: who allocates.
  explicit AllocatingContext(const char* what);
  ~AllocatingContext();
  AllocatingContext(const AllocatingContext&) = delete;
  AllocatingContext& operator=(const AllocatingContext&) = delete;

  Context get() const noexcept { return context_; }
  /// The thread had it before.
  bool isOfThread() const noexcept { return !is_lent_; }
  /// The driver says that it is destroyed, as after cudaDeviceReset: takes it again. False: it is
  /// the thread's, whose program must do so.
  bool renew(const char* what);

 private:
  Context context_ = nullptr;
  const bool is_lent_;
};

/// The calling thread uses the device of `context`, which is current: threads that have none
/// allocate there from now on.
void useFromNowOn(Context context) noexcept;

}  // namespace ucxx::cuda
