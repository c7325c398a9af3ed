// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <utility>

#include "cuda/driver/types.h"

namespace stand_in {

/// What a function of the driver asks for before it does anything.
struct Rules {
  enum class Needs { Nothing, Init, Context };

  Needs needs = Needs::Context;
  bool unsafe = false;       // in captures, unless the thread's mode is relaxed
  bool after_error = false;  // it answers also when the context is lost
};
inline constexpr Rules kAnywhere{.needs = Rules::Needs::Nothing, .after_error = true};
inline constexpr Rules kInitialised{.needs = Rules::Needs::Init, .after_error = true};
inline constexpr Rules kInContext{};
inline constexpr Rules kUnsafe{.unsafe = true};

/// The function of the driver in which the calling thread is; null: none.
const char* currentCall();

/// A call has begun: counts, delays, refuses.
Result beginCall(const char* name, const Rules& rules);
void endCall();

/// A function of the driver, by the name that cuGetProcAddress knows.
template <class Body>
Result call(const char* name, const Rules& rules, Body&& body) {
  Result result = beginCall(name, rules);
  if (result == kSuccess) result = std::forward<Body>(body)();
  endCall();
  return result;
}

void setInitialised();
bool isInitialised();

/// The calling thread is one of the driver's that calls a function of the program.
void setInCallback(bool is);

}  // namespace stand_in
