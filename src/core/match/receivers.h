// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include <ucxx/am_types.h>

namespace ucxx::core {

/// What users registered for active messages.
struct Receivers {
  std::map<std::pair<std::string, std::uint64_t>, AmReceiverCallbackType> callbacks;
  std::unordered_map<int, AmAllocatorType> allocators;  // by ucs_memory_type_t

  const AmReceiverCallbackType* find(const AmReceiverCallbackInfo& info) const {
    const auto found = callbacks.find({std::string(info.owner), info.id});
    return found == callbacks.end() ? nullptr : &found->second;
  }
};

}  // namespace ucxx::core
