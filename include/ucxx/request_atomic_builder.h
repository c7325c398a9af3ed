// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <ucxx/export.h>
#include <ucxx/request_builder.h>
#include <ucxx/request_data.h>
#include <ucxx/request_mem.h>

namespace ucxx {

class UCXX_PUBLIC RequestAtomicBuilder
    : public detail::CallbackRequestBuilder<RequestAtomicBuilder, RequestMem, data::Atomic> {
 public:
  using CallbackRequestBuilder::CallbackRequestBuilder;

  /// Of the word, in bytes from the start of the key's memory.
  RequestAtomicBuilder& remoteAddressOffset(std::uint64_t offset) & {
    data_.offset = offset;
    return *this;
  }
  RequestAtomicBuilder&& remoteAddressOffset(std::uint64_t offset) && {
    return std::move(remoteAddressOffset(offset));
  }

  /// For one with a condition: a stream, say, computes the operands before it triggers.
  RequestAtomicBuilder& operandsAt(const data::OperandPlaces& places) & {
    data_.operands = places;
    return *this;
  }
  RequestAtomicBuilder&& operandsAt(const data::OperandPlaces& places) && {
    return std::move(operandsAt(places));
  }

 private:
  friend RequestBuilder;
  std::shared_ptr<RequestMem> submit(const detail::RequestOwner& owner);
};

UCXX_PUBLIC RequestAtomicBuilder requestAtomicBuilder(std::shared_ptr<Component> endpoint,
                                                      data::Atomic request_data);

}  // namespace ucxx
