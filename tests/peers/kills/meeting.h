// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <mutex>

#include <ucxx/api.h>

#include "tools/hex.h"

namespace ucxx::kills {

using tools::fromHex;
using tools::toHex;

/// A listener for one peer.
class Reception {
 public:
  explicit Reception(Worker& worker);
  std::uint16_t port() const { return listener_->getPort(); }
  /// The endpoint of whoever has called; null: nobody yet.
  std::shared_ptr<Endpoint> take();

 private:
  static void onCall(ucp_conn_request_h call, void* self);

  std::mutex mutex_;  // a progress thread may call
  std::shared_ptr<Endpoint> accepted_;
  std::shared_ptr<Listener> listener_;  // last: ends first
};

}  // namespace ucxx::kills
