// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace ucxx::tools {

/// Which UCX this process has loaded, and why that one.
struct UcxInUse {
  std::string version;        ///< "1.22.0"
  std::string path;           ///< of libucp
  std::string kind;           ///< wheel, system, prefix or project
  std::string built_version;  ///< what the library was compiled with
  std::string reason;         ///< why it was chosen at that time
};
UcxInUse ucxInUse();
nlohmann::json toJson(const UcxInUse& ucx);

}  // namespace ucxx::tools
