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
  std::uint64_t id = 0;       // 0: it was being captured, when the driver does not tell
  Context context = nullptr;  // that of the caller, then

  /// It was, when it was named.
  bool isCaptured() const noexcept { return id == 0; }
  /// Asks the driver. Throws as `Condition::stream`.
  static Stream of(base::cuda::Stream handle, const char* what);
  /// Throws `InvalidParamError`: the handle is another stream's now. Not while it is captured.
  void requireItself(const char* what) const;
};

/// A capture is making a graph of what is put into the stream.
bool isCaptured(const Stream& stream, const char* what);

/// A context is current on this thread while this lives; then the one is that was so before. Throws
/// where it has been reset (`requireKept`).
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

/// Somebody may capture a stream meanwhile, which forbids some calls to other threads and to this
/// one, and whose capture such a call would end: while this lives it may call all of them.
class DespiteCaptures {
 public:
  explicit DespiteCaptures(const char* what);
  ~DespiteCaptures();
  DespiteCaptures(const DespiteCaptures&) = delete;
  DespiteCaptures& operator=(const DespiteCaptures&) = delete;

 private:
  int mode_ = base::cuda::kRelaxedCapture;
};

}  // namespace ucxx::cuda
