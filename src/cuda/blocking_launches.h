// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::cuda {

/// CUDA_LAUNCH_BLOCKING lets each launch of a kernel wait for its end, and so for all that its
/// stream, or the kernel itself, waits for. Whether the program hangs then depends on what it posts
/// before the launch, which the library cannot know: each of these warns, once.
/// @{
void warnOfBlockingLaunches() noexcept;
/// ... and the caller that launches is the one that is to move the worker: nobody does meanwhile.
void warnOfCallerThatLaunches(const char* what) noexcept;
/// @}

}  // namespace ucxx::cuda
