// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <ucp/api/ucp.h>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// The three `createEndpointFrom...` in pieces. Reusable: each `build()` makes a new endpoint (of a
/// connection request there can be only one).
class UCXX_PUBLIC EndpointBuilder {
 public:
  EndpointBuilder(std::shared_ptr<Worker> worker, std::string ip_address, std::uint16_t port)
      : source_(Hostname{std::move(worker), std::move(ip_address), port}) {}
  EndpointBuilder(std::shared_ptr<Listener> listener, ucp_conn_request_h conn_request)
      : source_(ConnRequest{std::move(listener), conn_request}) {}
  EndpointBuilder(std::shared_ptr<Worker> worker, std::shared_ptr<Address> address)
      : source_(WorkerAddress{std::move(worker), std::move(address)}) {}

  EndpointBuilder& endpointErrorHandling(bool enable = true) {
    error_handling_ = enable;
    return *this;
  }

  /// How long the connect may take, instead of `WorkerOptions::connect_timeout`; of a connection
  /// request it means nothing.
  EndpointBuilder& connectTimeout(std::chrono::milliseconds limit) {
    connect_timeout_ = limit;
    return *this;
  }

  std::shared_ptr<Endpoint> build();
  operator std::shared_ptr<Endpoint>() { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  struct Hostname {
    std::shared_ptr<Worker> worker;
    std::string ip_address;
    std::uint16_t port;
  };
  struct ConnRequest {
    std::shared_ptr<Listener> listener;
    ucp_conn_request_h request;
  };
  struct WorkerAddress {
    std::shared_ptr<Worker> worker;
    std::shared_ptr<Address> address;
  };

  std::variant<Hostname, ConnRequest, WorkerAddress> source_;
  bool error_handling_ = true;
  std::optional<std::chrono::milliseconds> connect_timeout_;
};

inline EndpointBuilder endpointBuilder(std::shared_ptr<Worker> worker, std::string ip_address,
                                       std::uint16_t port) {
  return EndpointBuilder(std::move(worker), std::move(ip_address), port);
}
inline EndpointBuilder endpointBuilder(std::shared_ptr<Listener> listener,
                                       ucp_conn_request_h conn_request) {
  return EndpointBuilder(std::move(listener), conn_request);
}
inline EndpointBuilder endpointBuilder(std::shared_ptr<Worker> worker,
                                       std::shared_ptr<Address> address) {
  return EndpointBuilder(std::move(worker), std::move(address));
}

}  // namespace ucxx
