// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/context.h"

#include "ucp/complaints.h"
#include "ucp/library.h"

namespace ucxx::ucp {
namespace {

/// UCX says only that there is no device: these settings are why.
std::string whatWasAsked(const Config& config) {
  std::string text = "create the UCX context with";
  const ConfigMap settings = config.get();
  for (const char* name : {"TLS", "NET_DEVICES"}) {
    const auto found = settings.find(name);
    if (found != settings.end()) text += std::string(" ") + name + "=" + found->second;
  }
  return text;
}

}  // namespace

Context::Context(const Config& config, std::uint64_t features) {
  initialiseLibrary();
  requireDescriptors("create the UCX context");
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
  params.features = features;
  params.mt_workers_shared = 1;
  const Complaints complaints;
  const ucs_status_t status = ucp_init(&params, config.getHandle(), &handle_);
  if (status != UCS_OK) complaints.check(status, whatWasAsked(config));
}

Context::~Context() { ucp_cleanup(handle_); }

std::string Context::info() const {
  return captured([this](std::FILE* stream) { ucp_context_print_info(handle_, stream); });
}

bool Context::hasCudaSupport() const {
  ucp_context_attr_t attributes{};
  attributes.field_mask = UCP_ATTR_FIELD_MEMORY_TYPES;
  if (ucp_context_query(handle_, &attributes) != UCS_OK) return false;
  return UCS_BIT(UCS_MEMORY_TYPE_CUDA) & attributes.memory_types;
}

}  // namespace ucxx::ucp
