// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_mem.h>

namespace ucxx {

class UCXX_PUBLIC RequestMemBuilder
    : public detail::CallbackRequestBuilder<RequestMemBuilder, RequestMem,
                                            std::variant<data::MemPut, data::MemGet>> {
 public:
  using CallbackRequestBuilder::CallbackRequestBuilder;

  /// Bytes from the start of the key's memory, or from the address that was given.
  RequestMemBuilder& remoteAddressOffset(std::uint64_t offset) & {
    std::visit([&](auto& data) { data.offset = offset; }, data_);
    return *this;
  }
  RequestMemBuilder&& remoteAddressOffset(std::uint64_t offset) && {
    return std::move(remoteAddressOffset(offset));
  }

 private:
  friend RequestBuilder;
  std::shared_ptr<RequestMem> submit(const detail::RequestOwner& owner);
};

UCXX_PUBLIC RequestMemBuilder requestMemBuilder(std::shared_ptr<Component> endpoint,
                                                RequestMemBuilder::Data request_data);

}  // namespace ucxx
