// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/memory/node.h"

namespace ucxx::shmem {

/// Gets the text of an error for which the standard has no return value. When it returns, the
/// program is aborted.
using ErrorHandler = void (*)(const char* text);

/// Null: the text goes to standard error. Returns the one before. Any thread.
ErrorHandler setErrorHandler(ErrorHandler handler) noexcept;

/// "PE 1 of 4: shmem_long_put: the text", to the handler; then aborts. `call` may be null.
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void fail(const char* call, const char* format,
                                                             ...) noexcept;

/// Gets the text of what a call says before it returns that it has failed.
using WarningHandler = void (*)(const char* text, void* context);

/// Null: the text goes to standard error. For the calling thread.
void setWarningHandler(WarningHandler handler, void* context) noexcept;

/// A line to standard error, with the PE in front, or the text to the handler; the program goes on.
[[gnu::cold, gnu::format(printf, 2, 3)]] void warn(const char* call, const char* format,
                                                   ...) noexcept;

/// The program called something before shmem_init, after shmem_finalize or in a forked child.
[[noreturn, gnu::cold]] void failNotRunning(const char* call) noexcept;
/// Fails so unless the local PE is between the two.
inline void requireRunning(const char* call) noexcept {
  if (!node.is_running) [[unlikely]]
    failNotRunning(call);
}

}  // namespace ucxx::shmem
