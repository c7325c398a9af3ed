// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <functional>

#include "cuda/driver/types.h"

namespace stand_in {

/// The error that stays; kSuccess: none.
Result lostBy() noexcept;
inline bool isLost() noexcept { return lostBy() != kSuccess; }

/// The context is lost from now on: calls answer this, and what waits does so for ever. The first
/// one counts.
void lose(Result error) noexcept;

/// Runs what touches memory; false: it has touched what it may not, and the context is lost.
bool guarded(const std::function<void()>& body);

/// Never comes back: what waits after an error that stays.
[[noreturn]] void waitForEver();

}  // namespace stand_in
