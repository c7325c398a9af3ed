// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <stdexcept>

#include <ucxx/address.h>
#include <ucxx/worker.h>

namespace ucxx {

Address::Address(std::string bytes) : bytes_(std::move(bytes)) {}

ucp_address_t* Address::getHandle() const noexcept {
  return reinterpret_cast<ucp_address_t*>(const_cast<char*>(bytes_.data()));
}

std::shared_ptr<Address> createAddressFromString(std::string_view bytes) {
  if (bytes.empty()) throw std::invalid_argument("a worker address cannot be empty");
  return std::make_shared<Address>(std::string(bytes));
}

}  // namespace ucxx
