// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The peer of connect.cpp: UCX alone, from ucp_ep_create to a listener in another process until the
// endpoint is flushed, which is when it can be used. A new worker each time, then the same once
// more.

#include <utility>

#include <arpa/inet.h>
#include <poll.h>
#include <ucp/api/ucp.h>

#include "figures.h"

namespace {

constexpr int kRepetitions = 15;

void require(ucs_status_t status, const char* what) {
  if (status != UCS_OK)
    throw std::runtime_error(std::string(what) + ": " + ucs_status_string(status));
}

ucp_context_h makeUcpContext() {
  ucp_config_t* config = nullptr;
  require(ucp_config_read(nullptr, nullptr, &config), "read the UCX settings");
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES;
  params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  ucp_context_h context = nullptr;
  require(ucp_init(&params, config, &context), "make the UCX context");
  ucp_config_release(config);
  return context;
}

ucp_worker_h makeUcpWorker(ucp_context_h context) {
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_MULTI;
  ucp_worker_h worker = nullptr;
  require(ucp_worker_create(context, &params, &worker), "make the UCX worker");
  return worker;
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

ucp_ep_params_t endpointParams(std::uint64_t field) {
  ucp_ep_params_t params{};
  params.field_mask = field | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE | UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler.cb = [](void*, ucp_ep_h, ucs_status_t) {};
  return params;
}

using Asked = std::vector<ucp_conn_request_h>;

std::uint16_t listen(ucp_worker_h worker, Asked& asked) {
  const sockaddr_in address = loopback(0);
  ucp_listener_params_t params{};
  params.field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR | UCP_LISTENER_PARAM_FIELD_CONN_HANDLER;
  params.sockaddr = {reinterpret_cast<const sockaddr*>(&address), sizeof address};
  params.conn_handler.cb = [](ucp_conn_request_h request, void* list) {
    static_cast<Asked*>(list)->push_back(request);
  };
  params.conn_handler.arg = &asked;
  ucp_listener_h listener = nullptr;
  require(ucp_listener_create(worker, &params, &listener), "make the UCX listener");
  ucp_listener_attr_t attributes{};
  attributes.field_mask = UCP_LISTENER_ATTR_FIELD_SOCKADDR;
  require(ucp_listener_query(listener, &attributes), "query the UCX listener");
  return ntohs(reinterpret_cast<const sockaddr_in&>(attributes.sockaddr).sin_port);
}

void serve(figures::Peer& parent) {
  ucp_worker_h worker = makeUcpWorker(makeUcpContext());
  Asked asked;
  parent.tell(listen(worker, asked));
  pollfd ended{parent.fd(), POLLIN, 0};
  for (unsigned round = 1; round % 4096 != 0 || ::poll(&ended, 1, 0) == 0; ++round) {
    ucp_worker_progress(worker);
    for (ucp_conn_request_h request : std::exchange(asked, {})) {
      ucp_ep_params_t params = endpointParams(UCP_EP_PARAM_FIELD_CONN_REQUEST);
      params.conn_request = request;
      ucp_ep_h endpoint = nullptr;
      require(ucp_ep_create(worker, &params, &endpoint), "accept");
    }
  }
}

void finish(ucp_worker_h worker, ucs_status_ptr_t request, const char* what) {
  const auto start = figures::Clock::now();
  while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS) {
    ucp_worker_progress(worker);
    if (figures::Clock::now() - start > figures::kPatience)
      throw std::runtime_error(std::string("waited in vain for ") + what);
  }
  if (UCS_PTR_IS_PTR(request)) ucp_request_free(request);
}

double connectMilliseconds(ucp_worker_h worker, std::uint16_t port) {
  const auto start = figures::Clock::now();
  const sockaddr_in address = loopback(port);
  ucp_ep_params_t params = endpointParams(UCP_EP_PARAM_FIELD_SOCK_ADDR | UCP_EP_PARAM_FIELD_FLAGS);
  params.flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER;
  params.sockaddr = {reinterpret_cast<const sockaddr*>(&address), sizeof address};
  ucp_ep_h endpoint = nullptr;
  require(ucp_ep_create(worker, &params, &endpoint), "connect");
  ucp_request_param_t flush{};
  finish(worker, ucp_ep_flush_nbx(endpoint, &flush), "the connection");
  const double result = figures::nanosecondsSince(start) / 1e6;
  ucp_request_param_t force{};
  force.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  force.flags = UCP_EP_CLOSE_FLAG_FORCE;
  finish(worker, ucp_ep_close_nbx(endpoint, &force), "the close");
  return result;
}

nlohmann::json figure() {
  const figures::Peer peer(serve);
  const auto port = static_cast<std::uint16_t>(peer.hear());
  ucp_context_h context = makeUcpContext();
  std::vector<double> connected, again;
  for (int i = 0; i < kRepetitions; ++i) {
    ucp_worker_h worker = makeUcpWorker(context);
    connected.push_back(connectMilliseconds(worker, port));
    again.push_back(connectMilliseconds(worker, port));
    ucp_worker_destroy(worker);
  }
  ucp_cleanup(context);
  return {{"connected_ms", figures::middleOf(connected)},
          {"connected_again_ms", figures::middleOf(again)}};
}

}  // namespace

int main() { return figures::print(figure); }
