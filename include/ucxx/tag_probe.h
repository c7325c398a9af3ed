// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include <ucp/api/ucp.h>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// What `Worker::tagProbe` found. With `remove`, it owns the message: receive it with
/// `Worker::tagRecvWithHandle`; a message that is never received is dropped with a warning.
class UCXX_PUBLIC TagProbeInfo {
 public:
  TagProbeInfo() = default;
  TagProbeInfo(const TagRecvInfo& info, ucp_tag_message_h handle,
               std::weak_ptr<Worker> worker = {});
  ~TagProbeInfo();
  TagProbeInfo(const TagProbeInfo&) = delete;
  TagProbeInfo& operator=(const TagProbeInfo&) = delete;

  bool isMatched() const noexcept { return info_.has_value(); }
  /// Throws `std::runtime_error` when nothing matched.
  const TagRecvInfo& getInfo() const;
  /// Throws `std::runtime_error` without `remove`, or when consumed.
  ucp_tag_message_h getHandle() const;
  /// As `getHandle`, and the caller now owns the message.
  ucp_tag_message_h releaseHandle() const;

 private:
  friend class Worker;
  std::optional<TagRecvInfo> info_;
  mutable ucp_tag_message_h handle_ = nullptr;
  mutable std::atomic<bool> consumed_{false};
  std::weak_ptr<Worker> worker_;
};

}  // namespace ucxx
