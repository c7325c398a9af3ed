// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Several prepared transfers at a time, for C.

#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ucxx/exception.h>
#include <ucxx/ucp_prepared.h>

#include "base/file_descriptor.h"
#include "ucp_c/calls.h"
#include "ucp_c/param.h"
#include "ucp_c/plan.h"
#include "ucp_c/post.h"

namespace ucxx::ucp_c {
namespace {

using Plans = std::vector<std::shared_ptr<Prepared>>;

Plans plansIn(void* const* prepared_memhs, std::size_t count) {
  base::requireNotForked();
  if (prepared_memhs == nullptr || count == 0)
    throw InvalidParamError(fmt::format("{} storages at {}; at least one is needed", count,
                                        static_cast<const void*>(prepared_memhs)));
  Plans plans;
  for (const void* const memh : std::span(prepared_memhs, count))
    plans.push_back(planIn(memh)->plan);
  return plans;
}

/// `startAll` in the form of a builder.
class StartAllBuilder {
 public:
  StartAllBuilder(Plans plans, StartUntil until) : plans_(std::move(plans)), until_(until) {}
  StartAllBuilder& condition(Condition condition) {
    condition_ = std::move(condition);
    return *this;
  }
  StartAllBuilder& callbackFunction(RequestCallbackUserFunction callback) {
    callback_ = std::move(callback);
    return *this;
  }
  StartAllBuilder& callbackData(RequestCallbackUserData data) {
    data_ = std::move(data);
    return *this;
  }
  std::shared_ptr<Request> build() {
    return startAll(condition_, plans_, until_, std::move(callback_), std::move(data_));
  }

 private:
  Plans plans_;
  StartUntil until_;
  Condition condition_;
  RequestCallbackUserFunction callback_;
  RequestCallbackUserData data_;
};

StartUntil untilOf(const ucxx_request_param_t& param) {
  constexpr std::uint32_t kAll = UCXX_PREPARED_FLAG_UNTIL_BEGUN;
  const std::uint32_t flags = flagsOf(param);
  if ((flags & ~kAll) != 0)
    throw InvalidParamError(fmt::format("the flags 0x{:x} have bits beyond 0x{:x}", flags, kAll));
  return (flags & UCXX_PREPARED_FLAG_UNTIL_BEGUN) != 0 ? StartUntil::Begun : StartUntil::Ended;
}

ucs_status_ptr_t start(Plans plans, const void* given) {
  const ucxx_request_param_t param = given == nullptr ? ucxx_request_param_t{} : paramOf(given);
  const StartUntil until = untilOf(param);
  if (hasBit(param, UCP_OP_ATTR_CONDITION))
    return post(param, Telling::Status, StartAllBuilder(std::move(plans), until));
  startAll(plans);
  return nullptr;
}

ucs_status_t wait(const Plans& plans, int timeout_ms) {
  if (!waitAll(plans, std::chrono::milliseconds(timeout_ms)))
    throw TimedOutError(fmt::format("not all have ended within {} ms", timeout_ms));
  for (const auto& plan : plans)
    if (plan->getStatus() != UCS_OK) return plan->getStatus();
  return UCS_OK;
}

}  // namespace
}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_ptr_t ucxx_prepared_start_all(void* const* prepared_memhs, std::size_t count,
                                         const void* param) {
  return asPointer("ucxx_prepared_start_all",
                   [&] { return start(plansIn(prepared_memhs, count), param); });
}

ucs_status_t ucxx_prepared_wait_all(void* const* prepared_memhs, std::size_t count,
                                    int timeout_ms) {
  return asStatus("ucxx_prepared_wait_all",
                  [&] { return wait(plansIn(prepared_memhs, count), timeout_ms); });
}

ucs_status_t ucxx_prepared_wait_all_on(void* const* prepared_memhs, std::size_t count,
                                       CUstream_st* stream) {
  return asStatus("ucxx_prepared_wait_all_on", [&] {
    ucxx::waitAllOn(stream, plansIn(prepared_memhs, count));
    return UCS_OK;
  });
}
// NOLINTEND(readability-identifier-naming)
