// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

namespace ucxx::device {
struct Prepared;
}  // namespace ucxx::device

/// The sends of a rank of the halo exchange, one an edge; null: the processor sends.
struct BenchEdges {
  ucxx::device::Prepared* sends[4];
};
