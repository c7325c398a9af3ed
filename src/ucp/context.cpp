// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/context.h"

#include "ucp/library.h"

namespace ucxx::ucp {

Context::Context(const Config& config, std::uint64_t features) {
  initialiseLibrary();
  requireDescriptors("create the UCX context");
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
  params.features = features;
  params.mt_workers_shared = 1;
  check(ucp_init(&params, config.getHandle(), &handle_), "create the UCX context");
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
