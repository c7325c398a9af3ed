// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include <ucxx/buffer.h>

#include "ucp_c/handle_table.h"

namespace ucxx::ucp_c {

/// The data of an active message that its handler is given, in the table by their address.
struct AmData {
  /// `buffer` is null for an empty message.
  AmData(std::shared_ptr<Buffer> its_buffer, std::size_t its_length)
      : buffer(std::move(its_buffer)), length(its_length) {}

  /// Of an empty message, too, an address that is its alone.
  void* address() noexcept { return length == 0 ? &none : buffer->data(); }

  const std::shared_ptr<Buffer> buffer;
  const std::size_t length;

 private:
  std::byte none{};
};

}  // namespace ucxx::ucp_c
