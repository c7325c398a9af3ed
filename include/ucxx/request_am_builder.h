// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <ucxx/export.h>
#include <ucxx/request_am.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>

namespace ucxx {

class UCXX_PUBLIC RequestAmBuilder
    : public detail::CallbackRequestBuilder<RequestAmBuilder, RequestAm,
                                            std::variant<data::AmSend, data::AmReceive>> {
 public:
  using CallbackRequestBuilder::CallbackRequestBuilder;

  /// Throws `std::logic_error` on a receive.
  RequestAmBuilder& receiverCallbackInfo(std::optional<AmReceiverCallbackInfo> info) &;
  RequestAmBuilder&& receiverCallbackInfo(std::optional<AmReceiverCallbackInfo> info) && {
    return std::move(receiverCallbackInfo(info));
  }

 private:
  friend RequestBuilder;
  std::shared_ptr<RequestAm> submit(const detail::RequestOwner& owner);
};

UCXX_PUBLIC RequestAmBuilder requestAmBuilder(std::shared_ptr<Component> endpoint,
                                              RequestAmBuilder::Data request_data);

}  // namespace ucxx
