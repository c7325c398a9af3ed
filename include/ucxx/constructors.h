// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <ucp/api/ucp.h>

#include <ucxx/address.h>
#include <ucxx/context.h>
#include <ucxx/endpoint.h>
#include <ucxx/export.h>
#include <ucxx/listener.h>
#include <ucxx/memory_handle.h>
#include <ucxx/remote_key.h>
#include <ucxx/worker.h>

// `createContext`, `createWorker` and `createAddressFrom...` stand beside their classes.
namespace ucxx {

UCXX_PUBLIC std::shared_ptr<Listener> createListener(const std::shared_ptr<Worker>& worker,
                                                     std::uint16_t port,
                                                     ucp_listener_conn_callback_t callback,
                                                     void* callback_args);

UCXX_PUBLIC std::shared_ptr<Endpoint> createEndpointFromHostname(
    const std::shared_ptr<Worker>& worker, std::string ip_address, std::uint16_t port,
    bool endpoint_error_handling);
UCXX_PUBLIC std::shared_ptr<Endpoint> createEndpointFromConnRequest(
    const std::shared_ptr<Listener>& listener, ucp_conn_request_h conn_request,
    bool endpoint_error_handling);
UCXX_PUBLIC std::shared_ptr<Endpoint> createEndpointFromWorkerAddress(
    const std::shared_ptr<Worker>& worker, std::shared_ptr<Address> address,
    bool endpoint_error_handling);

}  // namespace ucxx
