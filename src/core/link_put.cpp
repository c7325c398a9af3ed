// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Which channel a message of a link goes by: the local one, or UCX.

#include <cstddef>

#include "core/link.h"

namespace ucxx::core {
namespace {

/// The same blocks for the kernel and its like.
std::span<const iovec> asIovec(std::span<const ucp_dt_iov_t> blocks) noexcept {
  static_assert(sizeof(iovec) == sizeof(ucp_dt_iov_t) &&
                offsetof(iovec, iov_base) == offsetof(ucp_dt_iov_t, buffer) &&
                offsetof(iovec, iov_len) == offsetof(ucp_dt_iov_t, length));
  return {reinterpret_cast<const iovec*>(blocks.data()), blocks.size()};
}

}  // namespace

ucs_status_t Link::put(std::span<const std::byte> header, const void* buffer, std::size_t size,
                       bool announce, base::Completion& completion) {
  return local != nullptr ? local->send(header, buffer, size, completion)
                          : ucp->send(header, buffer, size, announce, completion);
}

ucs_status_t Link::put(std::span<const std::byte> header, std::span<const ucp_dt_iov_t> blocks,
                       bool announce, base::Completion& completion) {
  return local != nullptr ? local->send(header, asIovec(blocks), completion)
                          : ucp->send(header, blocks, announce, completion);
}

ucs_status_t Link::flush(base::Completion& completion) {
  return local != nullptr ? local->flush(completion) : ucp->flush(completion);
}

}  // namespace ucxx::core
