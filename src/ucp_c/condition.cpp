// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Conditions, for C.

#include "ucp_c/condition.h"

#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "core/request/handles.h"
#include "cuda/graph_condition.h"
#include "ucp_c/calls.h"
#include "ucp_c/param.h"

namespace ucxx::ucp_c {
namespace {

constexpr std::uint64_t kAllConditionFlags = UCP_CONDITION_FLAG_CALLER_PROGRESSES;

ConditionOptions conditionOptionsOf(const ucp_condition_param_t& param) {
  if ((param.flags & ~kAllConditionFlags) != 0)
    throw InvalidParamError(
        fmt::format("the flags 0x{:x} have bits beyond 0x{:x}; what is not set "
                    "in ucp_condition_param_t has to be 0",
                    param.flags, kAllConditionFlags));
  ConditionOptions options;
  options.caller_progresses = (param.flags & UCP_CONDITION_FLAG_CALLER_PROGRESSES) != 0;
  return options;
}

Condition streamConditionOf(const ucp_condition_param_t& param, const ConditionOptions& options) {
  if (param.context == nullptr)
    throw InvalidParamError(
        "UCP_CONDITION_CATEGORY_STREAM with context null; it is the address of a cudaStream_t");
  return Condition::stream(*static_cast<CUstream_st**>(param.context), options);
}

Condition graphConditionOf(const ucp_condition_param_t& param, const ConditionOptions& options) {
  if (param.graph == nullptr)
    throw InvalidParamError(
        "UCP_CONDITION_CATEGORY_GRAPH without graph; set the field to the cudaGraph_t in which the "
        "post makes a node");
  return Condition::graph(param.graph, {}, options);
}

Condition makeCondition(const ucp_condition_param_t& param, const ConditionOptions& options) {
  const int category = numberOf(param.category);
  switch (category) {
    case UCP_CONDITION_CATEGORY_STREAM:
      return streamConditionOf(param, options);
    case UCP_CONDITION_CATEGORY_GRAPH:
      return graphConditionOf(param, options);
    case UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED:
      return Condition::kernel(options);
  }
  throw InvalidParamError(
      fmt::format("there is no category {}; there are UCP_CONDITION_CATEGORY_STREAM ({}), _GRAPH "
                  "({}) and _KERNEL_TRIGGERED ({})",
                  category, static_cast<int>(UCP_CONDITION_CATEGORY_STREAM),
                  static_cast<int>(UCP_CONDITION_CATEGORY_GRAPH),
                  static_cast<int>(UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED)));
}

ucs_status_t createCondition(ucp_condition_param_t* param, ucp_condition_h* condition) {
  if (param == nullptr || condition == nullptr)
    throw InvalidParamError(fmt::format("{} is null", param == nullptr ? "param" : "condition"));
  base::requireNotForked();
  const ConditionOptions options = conditionOptionsOf(*param);
  auto made = std::make_shared<UcpCondition>();
  made->condition = makeCondition(*param, options);
  made->caller_progresses = options.caller_progresses;
  if (param->category == UCP_CONDITION_CATEGORY_GRAPH) made->unwritten = param;
  const auto handle = core::handleOf<ucp_condition_h>(core::nextId());
  if (param->category == UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED)
    param->context = made->condition.deviceHandle();
  HandleTable<UcpCondition>::all().add(handle, std::move(made));
  *condition = handle;
  return UCS_OK;
}

}  // namespace

void UcpCondition::tellNode() noexcept {
  const std::lock_guard lock(mutex);
  if (unwritten == nullptr) return;
  const auto& its = dynamic_cast<const cuda::GraphCondition&>(*condition.state());
  std::exchange(unwritten, nullptr)->context = const_cast<cuda::Node*>(its.nodePlace());
}

}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_create_condition(ucp_condition_param_t* param, ucp_condition_h* condition) {
  return asStatus("ucp_create_condition", [&] { return createCondition(param, condition); });
}

ucs_status_t ucxx_destroy_condition(ucp_condition_h condition) {
  return asStatus("ucp_destroy_condition", [&] {
    if (condition != nullptr && HandleTable<UcpCondition>::all().take(condition) == nullptr)
      throw ucxx::InvalidParamError("the condition is none, or was destroyed before");
    return UCS_OK;
  });
}
// NOLINTEND(readability-identifier-naming)
