// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// An address from a worker, or from bytes. Reusable: each `build()` makes a new address.
class UCXX_PUBLIC AddressBuilder {
 public:
  explicit AddressBuilder(std::shared_ptr<Worker> worker) : worker_(std::move(worker)) {}
  explicit AddressBuilder(std::string_view bytes) : bytes_(bytes) {}

  std::shared_ptr<Address> build();
  operator std::shared_ptr<Address>() { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  std::shared_ptr<Worker> worker_;
  std::string bytes_;
};

}  // namespace ucxx
