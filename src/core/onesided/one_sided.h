// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <ucxx/request_data.h>

#include "core/onesided/atomic_update.h"
#include "core/onesided/remote_memory.h"
#include "core/request/operation.h"

namespace ucxx::core {

/// A put, a get or an atomic operation. `op.buffer` is the own side's: what is put, or where a get
/// or the value before goes (null: an atomic operation that fetches nothing).
struct OneSidedExtra final : OperationExtra {
  std::shared_ptr<RemoteMemory> memory;  // not its key, which would keep the worker
  AtomicUpdate update;
  data::OperandPlaces operands;
  std::size_t begun = 0;  // bytes that were copied, sent, or asked for
  bool kernel_failed = false;
  std::unique_ptr<OperationExtra> again() const override;
  std::vector<const void*> buffers() const override;
  /// Reads the words that it has places for.
  void renew() noexcept override;
};
inline OneSidedExtra& oneSidedOf(Operation& op) noexcept {
  return static_cast<OneSidedExtra&>(*op.extra);
}

}  // namespace ucxx::core
