// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ucxx/api.h>

namespace ucxx::faults {

/// A worker that accepts whoever calls at 127.0.0.1, and keeps the endpoints.
class Receiver {
 public:
  Receiver() : worker_(createContext()->createWorker()) {
    listener_ = worker_->createListener(0, accept, this, "127.0.0.1");
  }
  Worker& worker() { return *worker_; }
  std::uint16_t port() const { return listener_->getPort(); }

 private:
  static void accept(ucp_conn_request_h request, void* self) {
    auto& receiver = *static_cast<Receiver*>(self);
    receiver.endpoints_.push_back(receiver.listener_->createEndpointFromConnRequest(request));
  }

  std::shared_ptr<Worker> worker_;
  std::shared_ptr<Listener> listener_;
  std::vector<std::shared_ptr<Endpoint>> endpoints_;
};

}  // namespace ucxx::faults
