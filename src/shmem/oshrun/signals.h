// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

#include <signal.h>

#include "base/file_descriptor.h"

namespace ucxx::shmem::oshrun {

/// Whether it goes on to the PEs, and oshrun does nothing else about it.
bool isForPes(int number) noexcept;

/// The signals that a process of oshrun waits for, at a descriptor: the ends of its children, those
/// that end the job, and those that go on to the PEs. One that was ignored when oshrun started
/// (nohup, a shell's `&`) stays so.
class Signals {
 public:
  /// From now on they wait.
  Signals();
  /// In each process by itself: a forked child loses the descriptor.
  void open();

  /// Readable when there is one.
  int descriptor() const noexcept { return descriptor_.get(); }
  /// Those since the last call; the ends of children are only taken off.
  std::vector<int> take();
  /// In a child: everything is as oshrun has found it.
  void restore() const noexcept;

 private:
  sigset_t found_{}, waited_{};
  bool ignored_child_ = false;
  base::FileDescriptor descriptor_;
};

}  // namespace ucxx::shmem::oshrun
