// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <ucp/api/ucp.h>

#include <ucxx/am_types.h>
#include <ucxx/atomic_operation.h>
#include <ucxx/typedefs.h>

/// The arguments of one operation each, for the request builders.
namespace ucxx::data {

struct AmSend {
  AmSend(const void* buffer, std::size_t length,
         ucs_memory_type_t memory_type = UCS_MEMORY_TYPE_HOST,
         std::optional<AmReceiverCallbackInfo> receiver_callback_info = std::nullopt)
      : buffer(buffer), length(length) {
    params.memoryType = memory_type;
    params.receiverCallbackInfo = receiver_callback_info;
  }
  AmSend(const void* buffer, std::size_t length, AmSendParams params)
      : buffer(buffer), length(length), params(std::move(params)) {}
  AmSend(std::vector<ucp_dt_iov_t> iov, AmSendParams params)
      : iov(std::move(iov)), params(std::move(params)) {}

  const void* buffer = nullptr;
  std::size_t length = 0;
  std::optional<std::vector<ucp_dt_iov_t>> iov;  ///< instead of `buffer` and `length`
  AmSendParams params;
};

struct AmReceive {};

struct EndpointClose {
  explicit EndpointClose(bool force = false) : force(force) {}
  bool force;  ///< cancel the endpoint's open requests first
};

struct Flush {};

/// Memory of a peer, by its key or by an address in it and the key's handle.
struct RemotePlace {
  explicit RemotePlace(std::shared_ptr<RemoteKey> remote_key, std::uint64_t offset = 0)
      : remoteKey(std::move(remote_key)), offset(offset) {}
  RemotePlace(std::uint64_t remote_address, ucp_rkey_h rkey)
      : remoteAddress(remote_address), rkey(rkey) {}
  std::shared_ptr<RemoteKey> remoteKey;  ///< null: `remoteAddress` and `rkey`
  std::uint64_t offset = 0;
  std::uint64_t remoteAddress = 0;
  ucp_rkey_h rkey = nullptr;
};

struct MemPut : RemotePlace {
  template <class... Place>
  MemPut(const void* buffer, std::size_t length, Place&&... place)
      : RemotePlace(std::forward<Place>(place)...), buffer(buffer), length(length) {}
  const void* buffer;
  std::size_t length;
};

struct MemGet : RemotePlace {
  template <class... Place>
  MemGet(void* buffer, std::size_t length, Place&&... place)
      : RemotePlace(std::forward<Place>(place)...), buffer(buffer), length(length) {}
  void* buffer;
  std::size_t length;
};

/// What an atomic operation does to a word of 4 or 8 bytes.
struct WordUpdate {
  template <class Word>
  static constexpr std::size_t bytesOf() {
    static_assert(std::is_integral_v<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8),
                  "an atomic operation needs an integer of 4 or 8 bytes");
    return sizeof(Word);
  }
  template <class Word>
  static WordUpdate post(AtomicOperation operation, Word operand) {
    return {operation, static_cast<std::uint64_t>(operand), bytesOf<Word>()};
  }
  template <class Word>
  static WordUpdate fetch(AtomicOperation operation, Word operand, Word* previous) {
    WordUpdate update = post(operation, operand);
    update.fetches = true;
    update.previous = previous;
    return update;
  }
  template <class Word>
  static WordUpdate compareSwap(Word expected, Word desired, Word* previous) {
    WordUpdate update = fetch(AtomicOperation::Swap, desired, previous);
    update.compares = true;
    update.expected = static_cast<std::uint64_t>(expected);
    return update;
  }

  AtomicOperation operation;
  std::uint64_t operand;
  std::size_t wordBytes;  // between the two, which would else be read at once, just written
  std::uint64_t expected = 0;
  bool fetches = false;
  bool compares = false;
  void* previous = nullptr;  ///< where the value before goes
};

/// Where the words of an atomic operation are read when its condition starts it, instead of those
/// that it was posted with; null: the latter. Of the host; they belong to the request.
struct OperandPlaces {
  const void* operand = nullptr;
  const void* expected = nullptr;  ///< if it compares
};

struct Atomic : RemotePlace {
  Atomic(const WordUpdate& update, std::shared_ptr<RemoteKey> remote_key)
      : RemotePlace(std::move(remote_key)), update(update) {}
  WordUpdate update;
  OperandPlaces operands;  ///< without a condition they are not looked at
};

struct StreamSend {
  StreamSend(const void* buffer, std::size_t length) : buffer(buffer), length(length) {}
  const void* buffer;
  std::size_t length;
};

struct StreamReceive {
  StreamReceive(void* buffer, std::size_t length) : buffer(buffer), length(length) {}
  void* buffer;
  std::size_t length;
  bool some = false;  ///< ends with what is there
};

struct TagSend {
  TagSend(const void* buffer, std::size_t length, AnyTag tag)
      : buffer(buffer), length(length), tag(tag) {}
  TagSend(std::vector<ucp_dt_iov_t> iov, AnyTag tag) : iov(std::move(iov)), tag(tag) {}
  const void* buffer = nullptr;
  std::size_t length = 0;
  std::optional<std::vector<ucp_dt_iov_t>> iov;  ///< instead of `buffer` and `length`
  Tag tag;
  bool synchronous = false;
};

struct TagReceive {
  TagReceive(void* buffer, std::size_t length, AnyTag tag, AnyTagMask tag_mask = TagMaskFull)
      : buffer(buffer), length(length), tag(tag), tagMask(tag_mask) {}
  TagReceive(std::vector<ucp_dt_iov_t> iov, AnyTag tag, AnyTagMask tag_mask = TagMaskFull)
      : iov(std::move(iov)), tag(tag), tagMask(tag_mask) {}
  void* buffer = nullptr;
  std::size_t length = 0;
  std::optional<std::vector<ucp_dt_iov_t>> iov;  ///< instead of `buffer` and `length`
  Tag tag;
  TagMask tagMask;
};

struct TagReceiveWithHandle {
  TagReceiveWithHandle(void* buffer, std::shared_ptr<TagProbeInfo> probe_info)
      : buffer(buffer), probeInfo(std::move(probe_info)) {}
  TagReceiveWithHandle(void* buffer, std::size_t length, std::shared_ptr<TagProbeInfo> probe_info)
      : buffer(buffer), length(length), probeInfo(std::move(probe_info)) {}
  void* buffer;
  std::optional<std::size_t> length;  ///< of the buffer; none: the length that was probed
  std::shared_ptr<TagProbeInfo> probeInfo;
};

struct TagMultiSend {
  TagMultiSend(std::vector<const void*> buffers, std::vector<std::size_t> sizes,
               std::vector<int> is_cuda, AnyTag tag)
      : buffers(std::move(buffers)),
        sizes(std::move(sizes)),
        isCUDA(std::move(is_cuda)),
        tag(tag) {}
  std::vector<const void*> buffers;
  std::vector<std::size_t> sizes;
  std::vector<int> isCUDA;
  Tag tag;
};

struct TagMultiReceive {
  explicit TagMultiReceive(AnyTag tag, AnyTagMask tag_mask = TagMaskFull)
      : tag(tag), tagMask(tag_mask) {}
  Tag tag;
  TagMask tagMask;
};

}  // namespace ucxx::data
