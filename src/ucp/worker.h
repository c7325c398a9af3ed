// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ucp/api/ucp.h>

#include "base/completion.h"
#include "ucp/context.h"

namespace ucxx::ucp {

/// The payload of a message as UCX has it: bytes, valid during the event only, or an announcement
/// that must be ended by exactly one `Worker::fetch` or `Worker::drop`.
struct Payload {
  const void* bytes = nullptr;
  std::size_t size = 0;
  void* announcement = nullptr;
};

/// How the UCX channel calls up. Always from inside `Worker::progress`.
struct ChannelEvents {
  void* owner = nullptr;
  void (*onMessage)(void* owner, std::span<const std::byte> header,
                    const Payload& payload) = nullptr;
};

enum class ThreadMode {
  Single = UCS_THREAD_MODE_SINGLE,
  Serialized = UCS_THREAD_MODE_SERIALIZED,
  Multi = UCS_THREAD_MODE_MULTI,
};

/// Owns a `ucp_worker_h`. Touched by the worker's loop alone.
class Worker {
 public:
  Worker(Context& context, ThreadMode mode, bool wakeup, const ChannelEvents& events);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  ucp_worker_h handle() const noexcept { return handle_; }
  bool progress() noexcept;
  /// False: events are pending, progress first. Needs `wakeup`.
  bool arm() noexcept;
  /// Readable once armed; -1 without `wakeup`.
  int eventFd() const noexcept { return event_fd_; }
  std::vector<std::byte> address() const;
  std::string info() const;
  std::size_t maxHeaderBytes() const noexcept { return max_header_bytes_; }

  /// Gets the bytes of an announcement. UCS_INPROGRESS: `completion` will be told.
  ucs_status_t fetch(void* announcement, void* buffer, std::size_t size,
                     base::Completion& completion);
  /// Does without them. The sender's operation ends with OK, or with CANCELED (older UCX).
  void drop(void* announcement) noexcept;
  ucs_status_t flush(base::Completion& completion);
  /// Holds what it needs as long as it lives, when nobody ends it any more.
  void keep(std::shared_ptr<void> needed) noexcept { needed_ = std::move(needed); }

 private:
  static ucs_status_t onActiveMessage(void* self, const void* header, std::size_t header_size,
                                      void* data, std::size_t size,
                                      const ucp_am_recv_param_t* param);
  void installHandler();
  void query();

  ChannelEvents events_;
  ucp_worker_h handle_ = nullptr;
  int event_fd_ = -1;
  std::size_t max_header_bytes_ = 0;
  std::shared_ptr<void> needed_;
};

/// Owns a `ucp_ep_h` to a worker address, with peer error handling. Its failure is told once, from
/// inside `Worker::progress`. Pending operations end before `close` does.
class Endpoint {
 public:
  struct Failure {
    void* owner = nullptr;
    void (*onFailure)(void* owner, ucs_status_t status) = nullptr;
  };
  Endpoint(Worker& worker, std::span<const std::byte> address, const Failure& failure);
  /// The handle must have been given up by `close`.
  ~Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  ucp_ep_h handle() const noexcept { return handle_; }

  /// Sends `header` (stays untouched until the operation ends) and a payload, whole or as an
  /// announcement. UCS_INPROGRESS: `completion` will be told.
  ucs_status_t send(std::span<const std::byte> header, const void* buffer, std::size_t size,
                    bool announce, base::Completion& completion);
  /// The same with a payload in pieces; `iov` must live as long as the operation.
  ucs_status_t send(std::span<const std::byte> header, std::span<const ucp_dt_iov_t> iov,
                    bool announce, base::Completion& completion);
  ucs_status_t flush(base::Completion& completion);
  /// Gives the handle up: pending operations end with an error, at once or in `progress`.
  /// UCS_INPROGRESS: `completion` will be told.
  ucs_status_t close(base::Completion& completion);

  /// Pairs of transport and device name.
  std::vector<std::pair<std::string, std::string>> transports() const;

 private:
  static void onError(void* self, ucp_ep_h, ucs_status_t status);

  Failure failure_;
  ucp_ep_h handle_ = nullptr;
};

}  // namespace ucxx::ucp
