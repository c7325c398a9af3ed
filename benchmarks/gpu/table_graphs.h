// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <array>
#include <memory>

#include "launchable.h"
#include "table.h"

namespace gpu::bench {

/// Ping-pong by graphs: each side's iteration is one launch. The first side's is a kernel, then a
/// node that sends and receives; the other one's a node that receives, the kernel, a node that
/// sends.
class TableGraphs {
 public:
  explicit TableGraphs(const Table& table);
  /// As `Table::play`; `busy`: of the first side's thread.
  double play(const std::string& name, Word iterations, Busy* busy = nullptr) const;

 private:
  Graph graphOf(const Side& side, Word* number) const;

  const Table& table_;
  const std::array<Word*, 2> numbers_;  // of launches in this play
  const std::array<std::unique_ptr<const Launchable>, 2> graphs_;
};

}  // namespace gpu::bench
