// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ucxx/context.h>

#include "base/poller.h"
#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "core/loop/ucp_descriptor.h"
#include "local/hub.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Link;

/// What carries the messages of a worker: the hub of its local channels, and UCX's worker, which is
/// made when something needs it.
class Channels {
 public:
  /// Throws what keeps the hub from being made, where nothing else may carry.
  Channels(Loop& loop, std::shared_ptr<Context> context, base::Poller& poller);
  ~Channels();
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  /// UCX's worker, made by the first call. Throws what UCX says (the next call tries again), and
  /// UNSUPPORTED with `UCXX_LOCAL=only`.
  ucp::Worker& ensureUcp();
  bool hasUcp() const noexcept { return ucp_ != nullptr; }
  /// UCX's worker has been made, as for each link over it.
  ucp::Worker& ucp() noexcept { return *ucp_; }
  /// UCX still holds requests: its worker is never freed.
  void abandonUcp() noexcept;
  /// In a forked child: both are the parent's.
  void abandon() noexcept;
  /// Nothing uses them any more, and the loop moves no more.
  void close() noexcept;

  /// The thread mode that UCX's worker has, or would have. From any thread.
  ucs_thread_mode_t threadMode() const;
  /// What goes in front of a payload on every channel. From any thread.
  std::size_t maxHeaderBytes() const noexcept { return max_header_bytes_; }
  /// Null: peers of this machine are met by UCX, too.
  local::Hub* hub() noexcept { return hub_.get(); }
  /// For people; empty while there is a hub.
  const std::string& whyNotLocal() const noexcept { return why_not_local_; }
  bool isLocalOnly() const noexcept;
  /// UCX does, or there is no driver of CUDA: then what is said to be a device's is not.
  bool reachesDevices() const noexcept;
  const Context& context() const noexcept { return *context_; }

 private:
  /// A ring holds it beside what is not announced.
  static constexpr std::size_t kMaxHeaderBytes = 8 << 10;

  static void onUcpMessage(void* self, std::span<const std::byte> header, const ucp::Payload&);
  void openHub();
  local::Events localEvents();
  /// Returns how many bytes of it count for `local::Events`.
  std::size_t onLocalMessage(Link& link, std::span<const std::byte> header,
                             std::span<const std::byte> payload);
  void onOtherMessage(Link& link, std::span<const std::byte> header,
                      std::span<const std::byte> payload);

  Loop& loop_;
  const std::shared_ptr<Context> context_;
  base::Poller& poller_;
  std::unique_ptr<ucp::Worker> ucp_;  // null: nothing has needed it
  std::unique_ptr<UcpDescriptor> ucp_descriptor_;
  std::atomic<std::size_t> max_header_bytes_{kMaxHeaderBytes};
  std::unique_ptr<local::Hub> hub_;
  std::string why_not_local_;
  std::vector<std::byte> local_header_;  // of the message that is being handled
};

inline Channels& channelsOf(const Loop& loop) noexcept { return *loop.rooms.channels; }

}  // namespace ucxx::core
