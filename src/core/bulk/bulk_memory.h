// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/loop/deadlines.h"

namespace ucxx::core {

class Port;

/// Memory of the bulk ring of a link: it is given back when nothing has gone through the ring for a
/// while. Part of a link.
class BulkMemory {
 public:
  explicit BulkMemory(Port& port) noexcept;

  /// The ring may have memory from now on.
  void watch() noexcept;
  /// The link ends.
  void end() noexcept { next_look_.clear(); }

 private:
  void look() noexcept;

  Port& port_;
  Deadline next_look_;
};

}  // namespace ucxx::core
