// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <sstream>
#include <utility>

#include "ucp/complaints.h"
#include "ucp/library.h"
#include "ucp/request_param.h"
#include "ucp/worker.h"

namespace ucxx::ucp {
namespace {

std::uint32_t sendFlags(bool announce) {
  return announce ? UCP_AM_SEND_FLAG_RNDV : UCP_AM_SEND_FLAG_EAGER;
}

/// Up to here UCX may copy an eager message, if it then ends at once: no request of UCX, no
/// callback.
constexpr std::size_t kCopiedBytes = 8 << 10;

ucp_request_param_t sendParam(bool announce, base::Completion& completion) {
  ucp_request_param_t param = requestParam(completion);
  param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = sendFlags(announce);
  return param;
}

#if UCP_API_VERSION >= UCP_VERSION(1, 14)
std::vector<std::pair<std::string, std::string>> queriedTransports(ucp_ep_h endpoint) {
  ucp_transport_entry_t entries[16];
  ucp_ep_attr_t attributes{};
  attributes.field_mask = UCP_EP_ATTR_FIELD_TRANSPORTS;
  attributes.transports.entries = entries;
  attributes.transports.num_entries = std::size(entries);
  attributes.transports.entry_size = sizeof entries[0];
  std::vector<std::pair<std::string, std::string>> result;
  if (ucp_ep_query(endpoint, &attributes) != UCS_OK) return result;
  for (unsigned i = 0; i < attributes.transports.num_entries; ++i)
    result.emplace_back(entries[i].transport_name, entries[i].device_name);
  return result;
}
#endif

/// UCX before 1.14 tells it only in print: "#   lane[0]:  2:tcp/eth0.0 md[1] -> ...". It may be the
/// one in the process also where a newer one was compiled with.
std::vector<std::pair<std::string, std::string>> printedTransports(ucp_ep_h endpoint) {
  std::istringstream lines(
      captured([endpoint](std::FILE* stream) { ucp_ep_print_info(endpoint, stream); }));
  std::vector<std::pair<std::string, std::string>> result;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t lane = line.find("lane[");
    const std::size_t colon = line.find(':', line.find("]:", lane) + 2);
    const std::size_t slash = line.find('/', colon);
    if (lane == std::string::npos || colon == std::string::npos || slash == std::string::npos)
      continue;
    const std::string device = line.substr(slash + 1, line.find_first_of(". ", slash) - slash - 1);
    result.emplace_back(line.substr(colon + 1, slash - colon - 1), device);
  }
  return result;
}

}  // namespace

Endpoint::Endpoint(Worker& worker, std::span<const std::byte> address, const Failure& failure)
    : failure_(failure) {
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler.cb = onError;
  params.err_handler.arg = this;
  requireDescriptors("create the UCX endpoint");  // without, UCX leaves pieces of it behind
  const Complaints complaints;
  complaints.check(ucp_ep_create(worker.handle(), &params, &handle_), "create the UCX endpoint");
}

void Endpoint::onError(void* self, ucp_ep_h, ucs_status_t status) {
  const Failure& failure = static_cast<Endpoint*>(self)->failure_;
  failure.onFailure(failure.owner, status);
}

ucs_status_t Endpoint::send(std::span<const std::byte> header, const void* buffer, std::size_t size,
                            bool announce, base::Completion& completion) {
  ucp_request_param_t param = sendParam(announce, completion);
  if (!announce && size <= kCopiedBytes) param.op_attr_mask |= UCP_OP_ATTR_FLAG_FAST_CMPL;
  return inlineStatus(
      ucp_am_send_nbx(handle_, kMessageId, header.data(), header.size(), buffer, size, &param));
}

ucs_status_t Endpoint::send(std::span<const std::byte> header, std::span<const ucp_dt_iov_t> iov,
                            bool announce, base::Completion& completion) {
  ucp_request_param_t param = sendParam(announce, completion);
  param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = UCP_DATATYPE_IOV;
  return inlineStatus(ucp_am_send_nbx(handle_, kMessageId, header.data(), header.size(), iov.data(),
                                      iov.size(), &param));
}

ucs_status_t Endpoint::flush(base::Completion& completion) {
  if (!flushes()) return UCS_OK;
  const ucp_request_param_t param = requestParam(completion);
  return inlineStatus(ucp_ep_flush_nbx(handle_, &param));
}

ucs_status_t Endpoint::close(base::Completion& completion) {
  ucp_request_param_t param = requestParam(completion);
  param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = UCP_EP_CLOSE_FLAG_FORCE;
  return inlineStatus(ucp_ep_close_nbx(std::exchange(handle_, nullptr), &param));
}

std::vector<std::pair<std::string, std::string>> Endpoint::transports() const {
  if (handle_ == nullptr) return {};  // it is being closed
#if UCP_API_VERSION >= UCP_VERSION(1, 14)
  if (libraryVersion() >= (1u << 16 | 14u << 8)) return queriedTransports(handle_);
#endif
  return printedTransports(handle_);
}

}  // namespace ucxx::ucp
