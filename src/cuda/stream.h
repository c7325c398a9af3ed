// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "cuda/driver_calls.h"

namespace ucxx::cuda {

/// A stream that somebody gave us. Its id is its own for the life of the process; its handle may be
/// that of another one when it has been destroyed.
struct Stream {
  base::cuda::Stream handle = nullptr;
  std::uint64_t id = 0;
  Context context = nullptr;

  /// Asks the driver. Throws as `Condition::stream`.
  static Stream of(base::cuda::Stream handle, const char* what);
  /// Throws `InvalidParamError`: it has been destroyed since.
  void requireItself(const char* what) const;
};

/// What else is current on this thread is so again afterwards.
class InContext {
 public:
  InContext(Context context, const char* what);
  ~InContext();
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  Context before_ = nullptr;
  bool is_other_ = false;
};

}  // namespace ucxx::cuda
