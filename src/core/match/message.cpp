// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/match/message.h"

#include <cstdlib>
#include <new>

#include "core/match/ahead.h"
#include "core/match/inlet.h"
#include "core/match/recallable_messages.h"
#include "core/request/posted_receive.h"

namespace ucxx::core {

// A small message takes a record and the smallest block.
static_assert(sizeof(Message) + base::kPoolUnitBytes <= kRecordBytes);

Message* makeMessage(std::uint64_t tag, std::size_t size) {
  auto* message = new (base::PoolAllocator<Message>().allocate(1)) Message;
  message->tag = tag;
  message->size = size;
  return message;
}

void reserve(Message& message) {
  if (message.size == 0) return;
  void* memory = message.size <= base::kPoolMaxBytes ? base::poolAllocate(message.size)
                                                     : std::malloc(message.size);
  if (memory == nullptr) throw std::bad_alloc();
  message.bytes = static_cast<std::byte*>(memory);
}

std::size_t heldBy(const Message& message) noexcept {
  const std::size_t frames = message.ahead != nullptr ? message.ahead->frame_bytes : 0;
  const bool has_bytes = message.bytes != nullptr || message.whole() != nullptr;
  return frames + costOf(has_bytes ? message.size : 0, prologueBytes(message));
}

void destroyMessage(Message* message) noexcept {
  if (message->ahead != nullptr) leaveAhead(*message);
  if (message->is_listed) message->inlet->recallable().unlist(*message);
  if (message->bytes != nullptr) {
    if (message->size <= base::kPoolMaxBytes)
      base::poolFree(message->bytes, message->size);
    else
      std::free(message->bytes);
  }
  message->~Message();
  base::PoolAllocator<Message>().deallocate(message, 1);
}

}  // namespace ucxx::core
