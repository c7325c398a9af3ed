// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "base/file_descriptor.h"

struct epoll_event;

namespace ucxx::base {

/// Something that waits for a descriptor. Owned by its user; must be removed from the poller before
/// it dies (it may remove itself, or others, while events are dispatched).
struct PollHandler {
  /// `events` are EPOLL* bits.
  virtual void onReady(std::uint32_t events) = 0;

 protected:
  ~PollHandler() = default;
};

/// One epoll descriptor and the handlers behind it: everything that can wake a worker. Touched by
/// the worker's loop only, but `fd()` may be polled by anybody.
class Poller {
 public:
  Poller();

  int fd() const noexcept { return epoll_.get(); }
  void add(int fd, std::uint32_t events, PollHandler& handler);
  void modify(int fd, std::uint32_t events, PollHandler& handler);
  /// Safe while `dispatch` runs: an event of `handler` that was already fetched is dropped.
  void remove(int fd, PollHandler& handler) noexcept;

  /// Waits up to `timeout_ms` (-1: for ever, 0: not at all), calls the handlers that are ready and
  /// returns how many were. A signal ends the wait early with 0, and so does a call from a handler.
  int dispatch(int timeout_ms);

 private:
  static constexpr int kBatch = 64;
  class Batch;
  int deliver(const epoll_event* events, int count);

  FileDescriptor epoll_;
  PollHandler** ready_ = nullptr;  // the batch being dispatched, so that `remove` can blank it
  int ready_count_ = 0;
};

}  // namespace ucxx::base
