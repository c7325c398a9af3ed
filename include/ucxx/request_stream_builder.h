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
    : public detail::RequestBuilder<RequestStreamBuilder, RequestStream> {
 public:
  using Data = std::variant<data::StreamSend, data::StreamReceive>;
  RequestStreamBuilder(detail::RequestOwner owner, Data data)
      : RequestBuilder(std::move(owner)), data_(data) {}

 private:
  friend class detail::RequestBuilder<RequestStreamBuilder, RequestStream>;
  std::shared_ptr<RequestStream> submit(const detail::RequestOwner& owner);

  Data data_;
};

UCXX_PUBLIC RequestStreamBuilder requestStreamBuilder(std::shared_ptr<Component> endpoint,
                                                      RequestStreamBuilder::Data request_data);

}  // namespace ucxx
