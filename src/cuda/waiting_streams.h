// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "cuda/stream.h"

namespace ucxx::cuda {

/// While it lives a stream has a wait for a transfer before it. Streams that wait hold up the
/// device's connections, which all streams share: the first time that as many wait as there are
/// connections, so that none is left for the others, a warning says so. Where the library copies, its
/// streams need a connection each as well.
class WaitingStream {
 public:
  explicit WaitingStream(const Stream& stream);
  ~WaitingStream();
  WaitingStream(const WaitingStream&) = delete;
  WaitingStream& operator=(const WaitingStream&) = delete;

 private:
  const Context context_;
  const std::uint64_t id_;
};

/// The library has two streams more in `context`, in which it copies.
void countCopyStreams(Context context);

}  // namespace ucxx::cuda
