// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/fixtures.h"

namespace ucxx::core::test {

/// Whose memory the peer reaches.
enum class Owner { Library, User };
inline std::string nameOf(Owner owner) { return owner == Owner::Library ? "Library" : "User"; }

inline constexpr std::size_t kRemoteBytes = 3 << 20;

/// Memory of the right end, and the left end's key of it.
class Remote {
 public:
  Remote(Ends& ends, Owner owner, std::size_t size = kRemoteBytes) : own_(size) {
    handle = createMemoryHandle(ends.context, size, owner == Owner::User ? own_.data() : nullptr);
    key = createRemoteKeyFromSerialized(ends.left, handle->createRemoteKey()->serialize());
    std::memset(data(), 0, size);
  }
  std::byte* data() const { return reinterpret_cast<std::byte*>(handle->getBaseAddress()); }
  std::vector<std::byte> bytes(std::size_t offset, std::size_t size) const {
    return {data() + offset, data() + offset + size};
  }

 private:
  std::vector<std::byte> own_;

 public:
  std::shared_ptr<MemoryHandle> handle;
  std::shared_ptr<RemoteKey> key;
};

}  // namespace ucxx::core::test
