// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <variant>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_tag_multi.h>

namespace ucxx {

class UCXX_PUBLIC RequestTagMultiBuilder
    : public detail::RequestBuilder<RequestTagMultiBuilder, RequestTagMulti,
                                    std::variant<data::TagMultiSend, data::TagMultiReceive>> {
 public:
  using RequestBuilder::RequestBuilder;

 private:
  friend RequestBuilder;
  std::shared_ptr<RequestTagMulti> submit(const detail::RequestOwner& owner);
};

UCXX_PUBLIC RequestTagMultiBuilder requestTagMultiBuilder(
    std::shared_ptr<Component> endpoint, RequestTagMultiBuilder::Data request_data);

}  // namespace ucxx
