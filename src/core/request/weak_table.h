// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/immortal.h"

namespace ucxx::core {

/// Objects that are found by the number in their handle, as long as somebody has them. Any thread.
template <class Object>
class WeakTable {
 public:
  /// The only one of its objects.
  static WeakTable& all() {
    static base::Immortal<WeakTable> only;
    return *only;
  }
  void add(std::uint64_t id, std::weak_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    objects_.insert_or_assign(id, std::move(object));
  }
  void remove(std::uint64_t id) noexcept {
    const std::lock_guard lock(mutex_);
    objects_.erase(id);
  }
  /// Null: there is none, or it has gone.
  std::shared_ptr<Object> find(std::uint64_t id) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(id);
    return found == objects_.end() ? nullptr : found->second.lock();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::weak_ptr<Object>> objects_;
};

}  // namespace ucxx::core
