// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "base/mpsc_queue.h"

namespace ucxx::core {

class Loop;

/// Something for the owner of a loop to do, posted by another thread.
struct Post : base::MpscNode {
  void (*run)(Loop& loop, Post& self) = nullptr;
  bool for_thread = false;  // delayed submission: only a progress thread runs it
};

}  // namespace ucxx::core
