// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <ucp/api/ucp.h>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// `createMemoryHandle` in pieces. Reusable: each `build()` makes a new handle.
class UCXX_PUBLIC MemoryHandleBuilder {
 public:
  MemoryHandleBuilder(std::shared_ptr<Context> context, std::size_t size)
      : context_(std::move(context)), size_(size) {}

  MemoryHandleBuilder& buffer(void* pointer) {
    buffer_ = pointer;
    return *this;
  }
  MemoryHandleBuilder& memoryType(ucs_memory_type_t type) {
    memory_type_ = type;
    return *this;
  }

  std::shared_ptr<MemoryHandle> build();
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator std::shared_ptr<MemoryHandle>() { return build(); }

 private:
  std::shared_ptr<Context> context_;
  std::size_t size_;
  void* buffer_ = nullptr;
  ucs_memory_type_t memory_type_ = UCS_MEMORY_TYPE_HOST;
};

}  // namespace ucxx
