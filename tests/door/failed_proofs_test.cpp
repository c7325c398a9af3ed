// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/failed_proofs.h"

#include <string>

#include <gtest/gtest.h>

#include "door/world.h"

namespace ucxx::door::test {
namespace {

SocketAddress at(const std::string& ip, std::uint16_t port = 1000) {
  return resolve(ip, port, false).front();
}

struct FailedProofsTest : testing::Test {
  void fail(const SocketAddress& from, int times) {
    for (int i = 0; i < times; ++i) failed.count(from, now);
  }

  const base::TimePoint now = base::Clock::now();
  FailedProofs failed;
};

TEST_F(FailedProofsTest, SixthOfASecondIsOneTooMany) {
  fail(at("10.0.0.7"), 5);
  EXPECT_FALSE(failed.areMany(at("10.0.0.7"), now));
  fail(at("10.0.0.7", 2000), 1);
  EXPECT_TRUE(failed.areMany(at("10.0.0.7", 3000), now));
}

TEST_F(FailedProofsTest, AreForgottenWhenTheSecondIsOver) {
  fail(at("10.0.0.7"), 100);
  EXPECT_TRUE(failed.areMany(at("10.0.0.7"), now + 999ms));
  EXPECT_FALSE(failed.areMany(at("10.0.0.7"), now + 1s));
  failed.count(at("10.0.0.7"), now + 1s);
  EXPECT_FALSE(failed.areMany(at("10.0.0.7"), now + 1s));
}

TEST_F(FailedProofsTest, OtherAddressesAreNotCharged) {
  fail(at("10.0.0.7"), 100);
  EXPECT_FALSE(failed.areMany(at("10.0.0.8"), now));
  EXPECT_FALSE(failed.areMany(at("fd00::7"), now));
}

TEST_F(FailedProofsTest, Ipv6IsCountedByNetwork) {
  for (int i = 0; i < 6; ++i) fail(at("fd00:0:0:1::" + std::to_string(i)), 1);
  EXPECT_TRUE(failed.areMany(at("fd00:0:0:1:ffff::"), now));
  EXPECT_FALSE(failed.areMany(at("fd00:0:0:2::1"), now));
}

TEST_F(FailedProofsTest, UnixSocketsAreNotCounted) {
  const SocketAddress ours = unixAddress({1, 2});
  fail(ours, 100);
  EXPECT_FALSE(failed.areMany(ours, now));
}

TEST_F(FailedProofsTest, SoManyAddressesAreCountedAndNoMore) {
  const auto nth = [](int i) {
    return at("10.0." + std::to_string(i / 256) + "." + std::to_string(i % 256));
  };
  for (int i = 0; i < 1025; ++i) fail(nth(i), 6);
  EXPECT_TRUE(failed.areMany(nth(0), now));
  EXPECT_TRUE(failed.areMany(nth(1023), now));
  EXPECT_FALSE(failed.areMany(nth(1024), now));
}

}  // namespace
}  // namespace ucxx::door::test
