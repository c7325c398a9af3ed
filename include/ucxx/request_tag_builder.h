// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_tag.h>

namespace ucxx {

class UCXX_PUBLIC RequestTagBuilder
    : public detail::CallbackRequestBuilder<
          RequestTagBuilder, RequestTag,
          std::variant<data::TagSend, data::TagReceive, data::TagReceiveWithHandle>> {
 public:
  using CallbackRequestBuilder::CallbackRequestBuilder;

  /// The send ends when a receive has matched it; `std::logic_error` for a receive.
  RequestTagBuilder& synchronous(bool enable = true) &;
  RequestTagBuilder&& synchronous(bool enable = true) && { return std::move(synchronous(enable)); }

 private:
  friend RequestBuilder;
  std::shared_ptr<Request> submitSend(Endpoint& endpoint, data::TagSend& send);
  std::shared_ptr<RequestTag> submit(const detail::RequestOwner& owner);
};

UCXX_PUBLIC RequestTagBuilder requestTagBuilder(std::shared_ptr<Component> endpoint_or_worker,
                                                RequestTagBuilder::Data request_data);

}  // namespace ucxx
