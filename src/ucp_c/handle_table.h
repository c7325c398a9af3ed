// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/immortal.h"

namespace ucxx::ucp_c {

/// What programs in C hold in place of objects, which it owns. No handle of the library is used
/// twice in a process, so that one that was given back is known as such. Any thread.
template <class Object>
class HandleTable {
 public:
  /// The only one of its objects.
  static HandleTable& all() {
    static base::Immortal<HandleTable> only;
    return *only;
  }
  void add(const void* handle, std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
  }
  /// Null: it is none, or was given back.
  std::shared_ptr<Object> find(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  /// Takes it out of the table. Null: it is none, or was given back.
  std::shared_ptr<Object> take(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.extract(handle);
    return found ? std::move(found.mapped()) : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, std::shared_ptr<Object>> objects_;
};

}  // namespace ucxx::ucp_c
