// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/file_descriptor.h"
#include "base/poller.h"
#include "shmem/oshrun/lines.h"
#include "shmem/oshrun/output.h"
#include "shmem/oshrun/watch.h"

namespace ucxx::shmem::oshrun {

/// What a PE writes to one of its two outputs, on its way to that of oshrun.
class Stream {
 public:
  Stream(base::Poller& poller, base::FileDescriptor pipe, int pe, Output& output);

  /// Passes on what is there now: the PE has ended. Processes that it has left behind may write
  /// more.
  void drain();
  /// The same, and ends the last line.
  void finish();
  /// Goes on where a full output was in the way.
  void resume();

 private:
  void onReady();
  bool passOn();
  void close();

  base::FileDescriptor pipe_;
  Lines lines_;
  Output& output_;
  Watch watch_;
};

}  // namespace ucxx::shmem::oshrun
