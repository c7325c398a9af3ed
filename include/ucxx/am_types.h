// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <ucp/api/ucp.h>

#include <ucxx/export.h>

namespace ucxx {

class Buffer;
class Request;

static constexpr std::size_t AmReceiverCallbackOwnerMaxLen = 63;
static constexpr std::size_t AmReceiverCallbackOwnerStorageSize = AmReceiverCallbackOwnerMaxLen + 1;

/// The name under which a library registers its active-message callbacks; at most 63 characters,
/// else `std::invalid_argument`. "ucxx" is reserved.
class AmReceiverCallbackOwnerType {
 public:
  AmReceiverCallbackOwnerType() = default;
  AmReceiverCallbackOwnerType(const char* name)  // NOLINT: implicit by the established API
      : AmReceiverCallbackOwnerType(std::string_view(name)) {}
  AmReceiverCallbackOwnerType(const std::string& name)  // NOLINT
      : AmReceiverCallbackOwnerType(std::string_view(name)) {}
  AmReceiverCallbackOwnerType(std::string_view name) {  // NOLINT
    if (name.size() > AmReceiverCallbackOwnerMaxLen)
      throw std::invalid_argument("owner of an active-message callback has " +
                                  std::to_string(name.size()) + " characters, at most " +
                                  std::to_string(AmReceiverCallbackOwnerMaxLen) + " are allowed");
    std::memcpy(name_, name.data(), name.size());
  }

  const char* data() const noexcept { return name_; }
  static constexpr std::size_t storageSize() noexcept { return AmReceiverCallbackOwnerStorageSize; }
  operator std::string() const { return name_; }  // NOLINT
  bool operator==(const AmReceiverCallbackOwnerType& other) const noexcept {
    return std::memcmp(name_, other.name_, sizeof name_) == 0;
  }
  bool operator!=(const AmReceiverCallbackOwnerType& other) const noexcept {
    return !(*this == other);
  }

 private:
  char name_[AmReceiverCallbackOwnerStorageSize] = {};
};

using AmReceiverCallbackIdType = std::uint64_t;

/// Names one receiver callback: the same pair is given at the receiver (registration) and at the
/// sender (with the message).
struct AmReceiverCallbackInfo {
  AmReceiverCallbackInfo(AmReceiverCallbackOwnerType callback_owner,
                         AmReceiverCallbackIdType callback_id)
      : owner(callback_owner), id(callback_id) {}
  AmReceiverCallbackOwnerType owner;
  AmReceiverCallbackIdType id;
};

/// Called on the progressing thread when such a message is complete (also when it failed), with a
/// completed request and the key of the endpoint it came from (`Endpoint::getHandle()`). The
/// message, `getRecvBuffer()`, is the callback's to keep. Large ones may be complete in another
/// order than they were sent in.
using AmReceiverCallbackType = std::function<void(std::shared_ptr<Request>, ucp_ep_h)>;

/// Makes the receive buffer of a large active message, or of a large frame of a multi-buffer
/// message; may return null: the receive then fails with NO_MEMORY.
using AmAllocatorType = std::function<std::shared_ptr<Buffer>(std::size_t)>;

/// What the receiver does when it has no allocator for the sender's memory type.
enum class AmSendMemoryTypePolicy { FallbackToHost = 0, ErrorOnUnsupported };

struct AmSendParams {
  /// Accepted and ignored: the receiver can always reply, and the size decides how a message goes.
  std::uint32_t flags = UCP_AM_SEND_FLAG_REPLY;
  ucp_datatype_t datatype = ucp_dt_make_contig(1);
  ucs_memory_type_t memoryType = UCS_MEMORY_TYPE_HOST;
  AmSendMemoryTypePolicy memoryTypePolicy = AmSendMemoryTypePolicy::FallbackToHost;
  std::optional<AmReceiverCallbackInfo> receiverCallbackInfo = std::nullopt;
  std::vector<std::byte> userHeader = {};  ///< travels with the message; read by `getRecvHeader`

  void setUserHeader(const void* data, std::size_t size_bytes) {
    if (data == nullptr && size_bytes > 0)
      throw std::invalid_argument("user header: null pointer with " + std::to_string(size_bytes) +
                                  " bytes");
    const auto* first = static_cast<const std::byte*>(data);
    userHeader.assign(first, first + size_bytes);
  }
  void setUserHeader(std::string_view text) { setUserHeader(text.data(), text.size()); }
};

}  // namespace ucxx
