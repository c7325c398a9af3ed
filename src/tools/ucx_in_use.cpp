// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/ucx_in_use.h"

#include <dlfcn.h>
#include <nlohmann/json.hpp>

#include "ucp/ucx_build.h"

namespace ucxx::tools {

UcxInUse ucxInUse() {
  UcxInUse ucx{"?", "?", ucp::build::kKind, ucp::build::kVersion, ucp::build::kReason};
  // Asked by name: the library keeps its own calls of UCX to itself, and so do its tools.
  void* function = ::dlsym(RTLD_DEFAULT, "ucp_get_version_string");
  if (function == nullptr) return ucx;
  ucx.version = reinterpret_cast<const char* (*)()>(function)();
  Dl_info where{};
  if (::dladdr(function, &where) != 0 && where.dli_fname != nullptr) ucx.path = where.dli_fname;
  return ucx;
}

nlohmann::json toJson(const UcxInUse& ucx) {
  return {{"version", ucx.version},
          {"path", ucx.path},
          {"kind", ucx.kind},
          {"built_version", ucx.built_version},
          {"reason", ucx.reason}};
}

}  // namespace ucxx::tools
