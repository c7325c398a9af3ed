// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/kernel_condition.h"

#include <cstddef>

#include <ucxx/condition.h>
#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "core/loop/loop.h"
#include "cuda/post_checks.h"
#include "cuda/stream.h"
#include "cuda/words.h"

namespace ucxx {

namespace {

constexpr const char* kWhat = "Condition::kernel";

}  // namespace

Condition Condition::kernel(const ConditionOptions& options) {
  const cuda::Context context = cuda::attachCurrent(kWhat);
  return Condition(std::make_shared<cuda::KernelCondition>(options, context));
}

device::Handle* Condition::deviceHandle() const noexcept {
  const auto* const its_kernel = dynamic_cast<const cuda::KernelCondition*>(state());
  return its_kernel == nullptr ? nullptr : its_kernel->handle();
}

namespace cuda {

// What the loop writes is what kernels read.
static_assert(sizeof(device::Answer) <= sizeof(core::AnswerLine));
static_assert(offsetof(device::Answer, done) == offsetof(core::AnswerLine, done));
static_assert(offsetof(device::Answer, status) == offsetof(core::AnswerLine, status));
static_assert(offsetof(device::Answer, is_over) == offsetof(core::AnswerLine, is_over));
static_assert(int{device::kOk} == int{UCS_OK});
static_assert(int{device::kInProgress} == int{UCS_INPROGRESS});
static_assert(int{device::kCanceled} == int{UCS_ERR_CANCELED});

KernelCondition::KernelCondition(const ConditionOptions& its_options, Context context)
    : core::TriggeredCondition(core::ConditionKind::Kernel, its_options),
      context_(context),
      handle_(content(), context, kWhat) {}

device::Handle KernelCondition::content() const {
  const Address trigger = addressOf(&words().trigger(), context_, kWhat);
  const Address answer = addressOf(&words().answer(), context_, kWhat);
  return {.trigger = reinterpret_cast<unsigned long long*>(trigger),
          .answer = reinterpret_cast<const device::Answer*>(answer),
          .base = words().base(),
          .ticket = 0,
          .turn = 0};
}

void KernelCondition::post(core::Loop& loop, core::Operation& op) {
  base::requireNotForked();
  requireMover(loop, options.caller_progresses, toString(op.kind));
  {
    const InContext context(context_, toString(op.kind));
    refuseManaged(op);
  }
  core::TriggeredCondition::post(loop, op);
}

void KernelCondition::trigger() {
  throw InvalidParamError(
      "trigger: a kernel triggers the transfers, by ucxx::device::trigger(deviceHandle())");
}

}  // namespace cuda
}  // namespace ucxx
