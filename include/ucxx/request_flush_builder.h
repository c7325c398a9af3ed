// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_flush.h>

namespace ucxx {

class UCXX_PUBLIC RequestFlushBuilder
    : public detail::CallbackRequestBuilder<RequestFlushBuilder, RequestFlush, data::Flush> {
 public:
  using CallbackRequestBuilder::CallbackRequestBuilder;

 private:
  friend RequestBuilder;
  std::shared_ptr<RequestFlush> submit(const detail::RequestOwner& owner);
};

UCXX_PUBLIC RequestFlushBuilder requestFlushBuilder(std::shared_ptr<Component> endpoint_or_worker,
                                                    data::Flush request_data = {});

}  // namespace ucxx
