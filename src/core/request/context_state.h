// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include <ucxx/config.h>

#include "door/door.h"
#include "door/secret.h"
#include "ucp/context.h"

namespace ucxx::core {

/// Whether workers of one machine use the local channel.
enum class LocalUse : std::uint8_t {
  Auto,  ///< where both can
  Off,
  Only,  ///< nothing else: no TCP port, no UCX
};

/// How payloads that are announced come from a sender on this machine.
enum class LocalBulk : std::uint8_t {
  Auto,  ///< as is faster, see core/bulk/ways.h
  Ring,  ///< in pieces
  Copy,  ///< copied by the kernel, where it does
};

/// The library's half of a `ucxx::Context`. UCX's settings are read and checked at once, its
/// context is made when something needs it.
class ContextState {
 public:
  ContextState(ConfigMap options, std::uint64_t features);

  const LocalUse local_use;
  const LocalBulk local_bulk;
  const door::SharedSecret secret;  // null: none
  const door::Patience patience;
  Config config;
  const std::uint64_t feature_flags;  // exactly as asked for

  bool hasWakeup() const noexcept { return (feature_flags & UCP_FEATURE_WAKEUP) != 0; }
  /// UCX's context, made by the first call. Throws what UCX says; the next call tries again.
  /// Threads: any.
  ucp::Context& ensureUcp();
  /// Makes UCX's context only where there is a driver for CUDA. Where UCX does not start, it is not
  /// asked again.
  bool hasCudaSupport() noexcept;

 private:
  /// The library's own options are taken out of those for UCX; else the environment's. Throw
  /// INVALID_PARAM.
  static LocalUse takeLocalUse(ConfigMap& options);
  static LocalBulk takeLocalBulk(ConfigMap& options);
  static door::SharedSecret takeSecret(ConfigMap& options);
  /// What UCX has to be told of it is added to the options.
  static door::Patience takePatience(ConfigMap& options);
  /// The library sends active messages alone; WAKEUP only where it was asked for, since it costs.
  static std::uint64_t ucpFeatures(std::uint64_t asked) {
    return UCP_FEATURE_AM | (asked & UCP_FEATURE_WAKEUP);
  }

  std::mutex ucp_mutex_;
  std::unique_ptr<ucp::Context> ucp_;
  std::atomic<bool> has_no_cuda_{false};  // UCX did not start when it was asked
};

}  // namespace ucxx::core
