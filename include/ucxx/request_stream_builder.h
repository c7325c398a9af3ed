// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_stream.h>

namespace ucxx {

class UCXX_PUBLIC RequestStreamBuilder
    : public detail::CallbackRequestBuilder<RequestStreamBuilder, RequestStream,
                                            std::variant<data::StreamSend, data::StreamReceive>> {
 public:
  using CallbackRequestBuilder::CallbackRequestBuilder;

  /// The receive ends with what is there; `std::logic_error` for a send.
  RequestStreamBuilder& some(bool enable = true) &;
  RequestStreamBuilder&& some(bool enable = true) && { return std::move(some(enable)); }

 private:
  friend RequestBuilder;
  std::shared_ptr<RequestStream> submit(const detail::RequestOwner& owner);
};

UCXX_PUBLIC RequestStreamBuilder requestStreamBuilder(std::shared_ptr<Component> endpoint,
                                                      RequestStreamBuilder::Data request_data);

}  // namespace ucxx
