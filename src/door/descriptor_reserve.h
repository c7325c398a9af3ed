// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/file_descriptor.h"

namespace ucxx::door {

/// Descriptors kept for the moment when there are no others: one is given up, so that a caller in
/// the queue can be accepted and sent away. All doors of a process share one. Threads: any.
class DescriptorReserve {
 public:
  /// The process's reserve; the first to ask decides its size, the last to leave frees it.
  static std::shared_ptr<DescriptorReserve> shared(int size);

  explicit DescriptorReserve(int size);
  /// Closes one of them; false if none is left.
  bool giveUpOne() noexcept;
  /// Takes as many back as the system has.
  void refill() noexcept;

 private:
  std::mutex mutex_;
  std::vector<base::FileDescriptor> held_;  // empty places are what was given up
};

}  // namespace ucxx::door
