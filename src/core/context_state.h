// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include <ucxx/config.h>

#include "ucp/context.h"

namespace ucxx::core {

/// Whether workers of one machine use the local channel.
enum class LocalUse : std::uint8_t {
  Auto,  ///< where both can
  Off,
};

/// The library's half of a `ucxx::Context`.
class ContextState {
 public:
  ContextState(ConfigMap options, std::uint64_t features)
      : local_use(takeLocalUse(options)),
        config(std::move(options)),
        feature_flags(features),
        ucp(config, ucpFeatures(features)) {}

  const LocalUse local_use;
  Config config;
  const std::uint64_t feature_flags;  // exactly as asked for
  ucp::Context ucp;

  bool hasWakeup() const noexcept { return (feature_flags & UCP_FEATURE_WAKEUP) != 0; }

 private:
  /// Our own option is taken out of those for UCX; else the environment's. Throws INVALID_PARAM.
  static LocalUse takeLocalUse(ConfigMap& options);
  /// Everything of ours is active messages; WAKEUP only where it was asked for, since it costs.
  static std::uint64_t ucpFeatures(std::uint64_t asked) {
    return UCP_FEATURE_AM | (asked & UCP_FEATURE_WAKEUP);
  }
};

}  // namespace ucxx::core
