// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include <ucxx/export.h>
#include <ucxx/typedefs.h>

namespace ucxx {

/// `createRemoteKeyFromMemoryHandle` and `createRemoteKeyFromSerialized`. Reusable: each `build()`
/// makes a new key.
class UCXX_PUBLIC RemoteKeyBuilder {
 public:
  explicit RemoteKeyBuilder(std::shared_ptr<MemoryHandle> memory) : source_(std::move(memory)) {}
  RemoteKeyBuilder(std::shared_ptr<Endpoint> endpoint, const SerializedRemoteKey& serialized)
      : source_(Serialized{std::move(endpoint), serialized}) {}

  std::shared_ptr<RemoteKey> build();
  operator std::shared_ptr<RemoteKey>() { return build(); }  // NOLINT(google-explicit-constructor)

 private:
  struct Serialized {
    std::shared_ptr<Endpoint> endpoint;
    std::string bytes;
  };
  std::variant<std::shared_ptr<MemoryHandle>, Serialized> source_;
};

}  // namespace ucxx
