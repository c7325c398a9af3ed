// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_tag_multi.h>

namespace ucxx {

class UCXX_PUBLIC RequestTagMultiBuilder
    : public detail::RequestBuilder<RequestTagMultiBuilder, RequestTagMulti> {
 public:
  using Data = std::variant<data::TagMultiSend, data::TagMultiReceive>;
  RequestTagMultiBuilder(detail::RequestOwner owner, Data data)
      : RequestBuilder(std::move(owner)), data_(std::move(data)) {}

 private:
  friend class detail::RequestBuilder<RequestTagMultiBuilder, RequestTagMulti>;
  std::shared_ptr<RequestTagMulti> submit(const detail::RequestOwner& owner);

  Data data_;
};

UCXX_PUBLIC RequestTagMultiBuilder requestTagMultiBuilder(
    std::shared_ptr<Component> endpoint, RequestTagMultiBuilder::Data request_data);

}  // namespace ucxx
