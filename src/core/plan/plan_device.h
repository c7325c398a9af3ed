// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>

#include <ucs/type/status.h>

#include "core/condition/condition_words.h"
#include "core/plan/marks.h"

namespace ucxx::device {
struct Prepared;  // ucxx/cuda/device.h
}

namespace ucxx::core {

/// How kernels take part in a plan: words that they and the loop reach. All are 0 at first, and
/// iterations have growing numbers, from 1.
struct PlanDevice {
  /// Partition `i` of a send: kernels have made it ready in iteration `words[i]`, and before. Of a
  /// receive: the loop has seen it arrive.
  Marks words;
  /// 0, or one more than a partition that a kernel has named, and that is not there.
  const Marks::Word* mistake;
  /// Status and number of the last iteration that has ended.
  AnswerLine* answer;
  /// For kernels.
  device::Prepared* handle;
  std::shared_ptr<const void> memory;  // keeps all of it
};

}  // namespace ucxx::core
