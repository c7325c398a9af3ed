// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <ucp/api/ucp.h>

#include <ucxx/address_builder.h>
#include <ucxx/component.h>
#include <ucxx/export.h>

namespace ucxx {

class Worker;

/// Where a worker can be met, as bytes to carry to another process by any means. Names the worker,
/// the sockets of its door and its UCX address. Immutable; any thread.
class UCXX_PUBLIC Address : public Component {
 public:
  explicit Address(std::string bytes);

  /// The bytes. The view lives as long as the Address.
  std::string_view getStringView() const noexcept { return bytes_; }
  std::string getString() const { return bytes_; }
  std::size_t getLength() const noexcept { return bytes_.size(); }
  /// The bytes as UCX's type: opaque, UCXX's own, not for `ucp_ep_create`.
  ucp_address_t* getHandle() const noexcept;

  bool operator==(const Address& other) const noexcept { return bytes_ == other.bytes_; }
  bool operator!=(const Address& other) const noexcept { return !(*this == other); }

 private:
  friend class Worker;
  std::string bytes_;
};

/// Throws `std::invalid_argument` when `bytes` is empty. Whether it is a worker's address shows
/// when an endpoint is made from it (`InvalidAddrError`).
UCXX_PUBLIC std::shared_ptr<Address> createAddressFromString(std::string_view bytes);
UCXX_PUBLIC std::shared_ptr<Address> createAddressFromWorker(const std::shared_ptr<Worker>& worker);

}  // namespace ucxx

template <>
struct std::hash<ucxx::Address> {
  std::size_t operator()(const ucxx::Address& address) const noexcept {
    return std::hash<std::string_view>{}(address.getStringView());
  }
};
