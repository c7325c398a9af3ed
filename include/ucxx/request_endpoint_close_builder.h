// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_endpoint_close.h>

namespace ucxx {

/// Its `build()` returns null when the endpoint is closing, closed or has failed, as
/// `Endpoint::close` does.
class UCXX_PUBLIC RequestEndpointCloseBuilder
    : public detail::CallbackRequestBuilder<RequestEndpointCloseBuilder, RequestEndpointClose,
                                            data::EndpointClose> {
 public:
  using CallbackRequestBuilder::CallbackRequestBuilder;

  /// Instead of `WorkerOptions::close_timeout`.
  RequestEndpointCloseBuilder& timeout(std::chrono::milliseconds limit) & {
    timeout_ = limit;
    return *this;
  }
  RequestEndpointCloseBuilder&& timeout(std::chrono::milliseconds limit) && {
    return std::move(timeout(limit));
  }

 private:
  friend RequestBuilder;
  std::shared_ptr<RequestEndpointClose> submit(const detail::RequestOwner& owner);

  std::optional<std::chrono::milliseconds> timeout_;
};

UCXX_PUBLIC RequestEndpointCloseBuilder
requestEndpointCloseBuilder(std::shared_ptr<Component> endpoint, data::EndpointClose request_data);

}  // namespace ucxx
