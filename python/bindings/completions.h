// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include "base/mpsc_queue.h"
#include "python.h"

namespace ucxx::python {

/// Something that Python has to hear of: a request that has ended, a message, a caller.
struct Event : base::MpscNode {
  /// With the GIL. May destroy the event; errors of Python go to `PyErr_WriteUnraisable`.
  virtual void run() = 0;

 protected:
  ~Event() = default;
};

/// The way from the thread that moves a worker, which never has to do with Python, to one that has
/// the GIL. Events come out in the order of each thread that pushes.
class Completions {
 public:
  Completions();
  ~Completions();
  Completions(const Completions&) = delete;
  Completions& operator=(const Completions&) = delete;

  /// From any thread, without the GIL. The event stays alive until it has run.
  void push(Event& event) noexcept;
  /// With the GIL: runs what is there. True: there was something.
  bool drain();
  bool isEmpty() const noexcept { return events_.empty(); }

  /// Readable when there is something to drain: once `rings(true)` was called, for workers that are
  /// moved by another thread. One system call wakes for all events until the next drain.
  int descriptor() const noexcept { return descriptor_; }
  void rings(bool whether) noexcept { rings_.store(whether); }

 private:
  void ring() noexcept;

  base::MpscQueue events_;
  std::atomic<bool> rings_{false};
  std::atomic<bool> rung_{false};
  int descriptor_ = -1;
  bool draining_ = false;
};

}  // namespace ucxx::python
