// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <type_traits>

namespace ucxx::core {

/// What an object does when its turn comes: `function(object)`. Needs no memory, since the function
/// is a lambda that captures nothing.
class Act {
 public:
  template <class Object, class Function>
  Act(Object& object, Function) noexcept
      : object_(&object), call_([](void* it) { Function{}(*static_cast<Object*>(it)); }) {
    static_assert(std::is_empty_v<Function>, "a lambda without captures");
  }
  void operator()() const { call_(object_); }

 private:
  void* object_;
  void (*call_)(void* object);
};

}  // namespace ucxx::core
