// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <ucp/api/ucp.h>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// `Worker::createListener` in pieces. Reusable: each `build()` makes a new listener.
class UCXX_PUBLIC ListenerBuilder {
 public:
  ListenerBuilder(std::shared_ptr<Worker> worker, std::uint16_t port,
                  ucp_listener_conn_callback_t callback, void* callback_args)
      : worker_(std::move(worker)),
        port_(port),
        callback_(callback),
        callback_args_(callback_args) {}

  /// Listens only there; empty: on all interfaces.
  ListenerBuilder& host(std::string host) {
    host_ = std::move(host);
    return *this;
  }

  std::shared_ptr<Listener> build();
  operator std::shared_ptr<Listener>() { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  std::shared_ptr<Worker> worker_;
  std::uint16_t port_;
  ucp_listener_conn_callback_t callback_;
  void* callback_args_;
  std::string host_;
};

}  // namespace ucxx
