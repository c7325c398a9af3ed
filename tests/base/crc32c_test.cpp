// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/crc32c.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::base {
namespace {

TEST(Crc32cTest, AgreesWithRfc3720) {
  EXPECT_EQ(crc32c(std::as_bytes(std::span(std::string_view("123456789")))), 0xe3069283u);
  EXPECT_EQ(crc32c(std::vector(32, std::byte{0x00})), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::vector(32, std::byte{0xff})), 0x62a8ab43u);
  EXPECT_EQ(crc32c({}), 0u);
}

}  // namespace
}  // namespace ucxx::base
