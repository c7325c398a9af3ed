// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <functional>

namespace stand_in {

/// The driver's thread for functions of the program, in which CUDA may not be called. One for all
/// streams: who stays in it holds up the others.
void callBack(std::function<void()> function);
void callBackAndWait(const std::function<void()>& function);

}  // namespace stand_in
