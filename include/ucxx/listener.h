// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <ucp/api/ucp.h>

#include <ucxx/component.h>
#include <ucxx/endpoint_builder.h>
#include <ucxx/export.h>
#include <ucxx/listener_builder.h>
#include <ucxx/ucp_calls.h>

namespace ucxx {

class Endpoint;
class Worker;
namespace core {
struct StopPost;
}

/// What is known of a peer that asks for an endpoint.
struct ConnectionRequestInfo {
  std::string ip;          ///< numeric address of the peer
  std::uint16_t port = 0;  ///< its port
  std::string worker;      ///< the id of its worker, 32 hexadecimal digits
};

/// Accepts endpoints at a port. Owner: whoever made it, and the endpoints that it accepted; it
/// keeps its worker. Threads: any. With its last owner it stops.
class UCXX_PUBLIC Listener : public Component, public std::enable_shared_from_this<Listener> {
 public:
  ~Listener() override;

  /// Where it really listens: port 0 at creation means that the kernel chose one.
  std::uint16_t getPort() const noexcept { return port_; }
  std::string getIp() const { return ip_; }
  /// Opaque, UCXX's own: see `ucxx/ucp_calls.h`.
  ucp_listener_h getHandle() const noexcept;

  /// Accepts `request`. Never blocks. `std::invalid_argument` the second time; or when the peer
  /// left long ago (before 4,096 others, or much that nobody received), else its endpoint has
  /// failed.
  std::shared_ptr<Endpoint> createEndpointFromConnRequest(ucp_conn_request_h request,
                                                          bool endpointErrorHandling = true);
  /// Sends the peer away: its endpoint ends with REJECTED.
  void reject(ucp_conn_request_h request);
  /// Stops listening: requests that wait for an answer are rejected, and its callback does not run
  /// any more once this has returned. Endpoints that it accepted go on. May be repeated.
  void stop();
  ConnectionRequestInfo queryConnRequest(ucp_conn_request_h request) const;
  EndpointBuilder endpointBuilder(ucp_conn_request_h request);

 private:
  friend class Worker;
  Listener(std::shared_ptr<Worker> worker, std::uint64_t id, std::string ip, std::uint16_t port);

  const std::shared_ptr<Worker> worker_;
  std::unique_ptr<core::StopPost> stop_;  // there when memory is short
  std::uint64_t id_;
  std::string ip_;
  std::uint16_t port_;
};

}  // namespace ucxx
