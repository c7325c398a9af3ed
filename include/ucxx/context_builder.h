// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// `createContext` in pieces. Reusable: each `build()` makes a new context.
class UCXX_PUBLIC ContextBuilder {
 public:
  explicit ContextBuilder(std::uint64_t feature_flags) : feature_flags_(feature_flags) {}

  ContextBuilder& configMap(ConfigMap config) {
    config_ = std::move(config);
    return *this;
  }

  std::shared_ptr<Context> build();
  operator std::shared_ptr<Context>() { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  std::uint64_t feature_flags_;
  ConfigMap config_;
};

inline ContextBuilder contextBuilder(std::uint64_t feature_flags) {
  return ContextBuilder(feature_flags);
}

}  // namespace ucxx
