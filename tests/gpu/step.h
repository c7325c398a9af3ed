// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace gpu {

inline constexpr std::chrono::milliseconds kStepPatience{6000};

/// How the program was started, so that it can start itself again: its group, and how many steps of
/// it are done.
void beginSteps(const std::string& group, int done);

/// Part of a group. When it hangs, in the driver or on the GPU, that is an error which says where,
/// and the program starts anew with the next step: all that was enqueued ends with the process.
/// What it throws is an error, too, and the next step goes on.
void step(const std::string& name, const std::function<void()>& body,
          std::chrono::milliseconds limit = kStepPatience);

/// What the step does now: said when it hangs. A literal.
void at(const char* what);

}  // namespace gpu
