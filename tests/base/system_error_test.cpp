// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/system_error.h"

#include <cerrno>
#include <string>

#include <gtest/gtest.h>

#include <ucxx/exception.h>

namespace ucxx::base {
namespace {

TEST(SystemErrorTest, ThrowsTheClassOfTheStatusAndNamesTheCause) {
  try {
    throwErrno(EADDRINUSE, "cannot listen on x");
    FAIL();
  } catch (const BusyError& error) {
    EXPECT_EQ(std::string(error.what()), "cannot listen on x: Address already in use");
  }
  EXPECT_THROW(throwErrno(EMFILE, ""), NoResourceError);
  EXPECT_THROW(throwErrno(EIO, ""), IOError);
}

TEST(SystemErrorTest, NothingIsOk) { EXPECT_EQ(statusOfErrno(0), UCS_OK); }

}  // namespace
}  // namespace ucxx::base
