// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/message.h"

#include <cstdlib>
#include <new>

namespace ucxx::core {

Message* makeMessage(std::uint64_t tag, std::size_t size) {
  auto* message = new (base::PoolAllocator<Message>().allocate(1)) Message;
  message->tag = tag;
  message->size = size;
  return message;
}

void reserve(Message& message, std::size_t capacity) {
  if (capacity == 0) return;
  void* memory =
      capacity <= base::kPoolMaxBytes ? base::poolAllocate(capacity) : std::malloc(capacity);
  if (memory == nullptr) throw std::bad_alloc();
  message.bytes = static_cast<std::byte*>(memory);
  message.capacity = capacity;
}

void destroyMessage(Message* message) noexcept {
  if (message->bytes != nullptr) {
    if (message->capacity <= base::kPoolMaxBytes)
      base::poolFree(message->bytes, message->capacity);
    else
      std::free(message->bytes);
  }
  message->~Message();
  base::PoolAllocator<Message>().deallocate(message, 1);
}

}  // namespace ucxx::core
