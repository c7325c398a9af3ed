// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/request/known_memory.h"
#include "view.h"

namespace ucxx::python {

/// Tells the core, for the next call, what a view knows of its memory: the host's or a device's.
class KnownView {
 public:
  explicit KnownView(const View& view) noexcept
      : address_(view.data()),
        known_({&address_, 1}, view.isOnDevice() ? core::MemoryOf::Device : core::MemoryOf::Host,
               view.gate(), view.isOnDevice()) {}

 private:
  const void* const address_;
  const core::KnownMemory known_;
};

}  // namespace ucxx::python
