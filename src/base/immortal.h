// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace ucxx::base {

/// An object for a static variable that is never destroyed, since other static objects may use it
/// at their end. It takes nothing from the heap, which may be empty at the first use.
template <class T>
class Immortal {
 public:
  template <class... Args>
  explicit Immortal(Args&&... args) {
    ::new (place_) T(std::forward<Args>(args)...);
  }
  T& operator*() noexcept { return *std::launder(reinterpret_cast<T*>(place_)); }

 private:
  alignas(T) std::byte place_[sizeof(T)];
};

}  // namespace ucxx::base
