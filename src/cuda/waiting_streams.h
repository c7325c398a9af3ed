// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "cuda/stream.h"

namespace ucxx::cuda {

/// While it lives a stream has a wait for a transfer before it. Streams that wait hold up the
/// device's connections, which all streams share: the first time that as many wait as there are
/// connections, so that none is left for the others, a warning says so. Where the library copies,
/// its streams need a connection each as well.
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

/// While it lives a graph, or a kernel that has a handle, may wait for a transfer at any time:
/// nobody tells when it is launched.
class MayWait {
 public:
  MayWait();
  ~MayWait();
  MayWait(const MayWait&) = delete;
  MayWait& operator=(const MayWait&) = delete;
};

/// Whether something on a device waits for a transfer, or may do so at any time. What waits for all
/// streams, as cuMemFree does, would wait for the transfer then, and for ever in the thread that is
/// to move it.
bool anyStreamWaits() noexcept;

/// While it lives, and is true, nothing waits, and nothing begins to: who is about to stands still
/// for 10 ms at most. By then the call of the driver has begun, and what comes later it does not
/// wait for.
class WhileNoneWaits {
 public:
  WhileNoneWaits() noexcept;
  ~WhileNoneWaits();
  WhileNoneWaits(const WhileNoneWaits&) = delete;
  WhileNoneWaits& operator=(const WhileNoneWaits&) = delete;
  explicit operator bool() const noexcept { return is_so_; }

 private:
  const bool is_so_;
};

}  // namespace ucxx::cuda
