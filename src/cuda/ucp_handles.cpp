// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/ucp_handles.h"

#include <fmt/format.h>

#include "base/immortal.h"
#include "base/log.h"

namespace ucxx::cuda {

HandleTable<UcpCondition>& ucpConditions() {
  static base::Immortal<HandleTable<UcpCondition>> only;
  return *only;
}

std::shared_ptr<Endpoint> endpointOf(ucp_ep_h handle) {
  std::shared_ptr<Endpoint> endpoint = core::isOurs(handle) ? core::endpointNamed(handle) : nullptr;
  if (endpoint == nullptr)
    throw InvalidParamError(
        fmt::format("the endpoint {} is null or has gone; it is what ucxx::Endpoint::getHandle "
                    "gives, as long as that object lives",
                    static_cast<const void*>(handle)));
  return endpoint;
}

void tellCaller(const char* function, const char* text) noexcept {
  base::log(LogLevel::Error, "ucp", "{}: {}", function, text);
}

}  // namespace ucxx::cuda
