// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucp/api/ucp.h>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// UCX's settings: the environment's (`UCX_*`) with `user_options` on top. An unknown key throws
/// `NoElemError`, a bad value the class of UCX's status; both name key and value.
///
/// Where neither says otherwise, UCXX sets `PROTOS=^am/egr/*/reply` (UCX does not weigh protocols
/// that UCXX never uses at the first endpoint of a worker), `TCP_CONN_NB=y` (a connect blocks
/// nothing; a `ucx.conf` is not asked) and, for UCX before 1.14, `ZCOPY_THRESH=inf` (UCX asserts
/// otherwise when a peer goes).
class UCXX_PUBLIC Config {
 public:
  explicit Config(ConfigMap user_options = {});
  ~Config();
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;

  /// Every setting in force, keys without `UCX_`; a given value reads back unchanged.
  ConfigMap get() const;
  ucp_config_t* getHandle() const noexcept { return handle_; }

 private:
  ucp_config_t* handle_ = nullptr;
  ConfigMap user_options_;
};

}  // namespace ucxx
