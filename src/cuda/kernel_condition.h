// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/condition/triggered_condition.h"
#include "cuda/device_handle.h"
#include "cuda/waiting_streams.h"

namespace ucxx::cuda {

/// One that kernels trigger and wait for: they write its trigger word and read its answer, by a
/// handle in memory of the device.
class KernelCondition final : public core::TriggeredCondition {
 public:
  /// `context` is current on this thread.
  KernelCondition(const ConditionOptions& options, Context context);

  void post(core::Loop& loop, core::Operation& op) override;
  void trigger() override;
  device::Handle* handle() const noexcept { return handle_.get(); }

 private:
  device::Handle content() const;

  const Context context_;
  const DeviceHandle handle_;
  const MayWait may_wait_;
};

}  // namespace ucxx::cuda
