// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// For tests that the stand-in alone can run, each in a process of its own.
#pragma once

#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>

namespace ucxx::cuda::test {

/// A process with these settings of the stand-in, that ends with 0 if `body` says so.
inline void expectWith(const char* settings, const std::function<bool()>& body) {
  EXPECT_EXIT(
      {
        ::setenv("UCXX_CUDA_STAND_IN", settings, 1);
        std::exit(body() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "")
      << settings;
}

}  // namespace ucxx::cuda::test
