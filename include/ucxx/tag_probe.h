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

namespace core {
struct Message;
struct Probed;
}  // namespace core

/// What `Worker::tagProbe` found. With `remove`, it owns the message, and keeps its worker: receive
/// it with `Worker::tagRecvWithHandle`; a message that is never received is dropped with a warning.
class UCXX_PUBLIC TagProbeInfo {
 public:
  TagProbeInfo() = default;
  /// Owns the message of `handle`, which `releaseHandle` gave.
  TagProbeInfo(const TagRecvInfo& info, ucp_tag_message_h handle);
  ~TagProbeInfo();
  TagProbeInfo(const TagProbeInfo&) = delete;
  TagProbeInfo& operator=(const TagProbeInfo&) = delete;

  bool isMatched() const noexcept { return info_.has_value(); }
  /// Throws `std::runtime_error` when nothing matched.
  const TagRecvInfo& getInfo() const;
  /// Names the message for `ucp_tag_msg_recv_nbx` (`ucxx/ucp_calls.h`) as long as this object is
  /// there and nobody has received it; later it names nothing. Throws `std::runtime_error` without
  /// `remove`, or when consumed.
  ucp_tag_message_h getHandle() const;
  /// As `getHandle`, and the caller now owns the message: it stays as long as the worker, until it
  /// is received.
  ucp_tag_message_h releaseHandle() const;

 private:
  friend class Worker;
  bool hasMessage() const noexcept { return message_ != nullptr || handle_ != nullptr; }
  /// The message, which is not this object's any more. Null: it has been received, or released.
  core::Probed take() const;

  std::optional<TagRecvInfo> info_;
  core::Message* message_ = nullptr;
  mutable ucp_tag_message_h handle_ = nullptr;  // once somebody has asked for it
  mutable std::atomic<bool> consumed_{false};
  mutable std::shared_ptr<Worker> worker_;  // while it owns the message
  const Worker* owner_ = nullptr;           // the same, to compare
};

}  // namespace ucxx
