// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <string>
#include <utility>

#include <ucxx/constructors.h>

#include "core/request/required.h"

namespace ucxx {

using core::required;

std::shared_ptr<Address> createAddressFromWorker(const std::shared_ptr<Worker>& worker) {
  return required(worker, "the worker").getAddress();
}

std::shared_ptr<Listener> createListener(const std::shared_ptr<Worker>& worker, std::uint16_t port,
                                         ucp_listener_conn_callback_t callback,
                                         void* callback_args) {
  return required(worker, "the worker").createListener(port, callback, callback_args);
}

std::shared_ptr<Endpoint> createEndpointFromHostname(const std::shared_ptr<Worker>& worker,
                                                     std::string ip_address, std::uint16_t port,
                                                     bool endpoint_error_handling) {
  return required(worker, "the worker")
      .createEndpointFromHostname(std::move(ip_address), port, endpoint_error_handling);
}

std::shared_ptr<Endpoint> createEndpointFromConnRequest(const std::shared_ptr<Listener>& listener,
                                                        ucp_conn_request_h request,
                                                        bool endpoint_error_handling) {
  return required(listener, "the listener")
      .createEndpointFromConnRequest(request, endpoint_error_handling);
}

std::shared_ptr<Endpoint> createEndpointFromWorkerAddress(const std::shared_ptr<Worker>& worker,
                                                          std::shared_ptr<Address> address,
                                                          bool endpoint_error_handling) {
  return required(worker, "the worker")
      .createEndpointFromWorkerAddress(std::move(address), endpoint_error_handling);
}

}  // namespace ucxx
