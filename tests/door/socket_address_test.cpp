// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ucxx/exception.h>

#include "door/door.h"
#include "door/machine_id.h"

namespace ucxx::door {
namespace {

TEST(SocketAddressTest, ShowsIpPortAndBoth) {
  const SocketAddress four = resolve("127.0.0.1", 80, false).at(0);
  EXPECT_EQ(four.ip(), "127.0.0.1");
  EXPECT_EQ(four.port(), 80);
  EXPECT_EQ(four.toString(), "127.0.0.1:80");
  EXPECT_EQ(resolve("::1", 65535, false).at(0).toString(), "[::1]:65535");
}

TEST(SocketAddressTest, EqualityLooksAtFamilyAddressAndPort) {
  const auto at = [](const char* host, std::uint16_t port) {
    return resolve(host, port, false).at(0);
  };
  EXPECT_EQ(at("127.0.0.1", 1), at("127.0.0.1", 1));
  EXPECT_NE(at("127.0.0.1", 1), at("127.0.0.1", 2));
  EXPECT_NE(at("127.0.0.1", 1), at("127.0.0.2", 1));
  EXPECT_NE(at("127.0.0.1", 1), at("::1", 1));
  EXPECT_EQ(at("::1", 1), at("::1", 1));
  EXPECT_TRUE(at("::1", 1).sameHost(at("::1", 2)));
  EXPECT_FALSE(at("::1", 1).sameHost(at("::2", 1)));
}

TEST(SocketAddressTest, EmptyHostIsTheWildcardOrLoopback) {
  const auto contains = [](const std::vector<SocketAddress>& addresses, const char* ip) {
    return std::any_of(addresses.begin(), addresses.end(),
                       [&](const auto& address) { return address.ip() == ip; });
  };
  EXPECT_TRUE(contains(resolve("", 1, true), "0.0.0.0"));
  EXPECT_TRUE(contains(resolve("", 1, false), "127.0.0.1"));
}

TEST(SocketAddressTest, UnknownNameIsNamed) {
  try {
    resolve("no such host", 1, false);
    FAIL();
  } catch (const InvalidAddrError& error) {
    EXPECT_NE(std::string(error.what()).find("'no such host'"), std::string::npos);
  }
}

TEST(SocketAddressTest, UnixAddressIsItsName) {
  const SocketAddress one = unixAddress({0x0123456789abcdef, 0xfedcba9876543210});
  EXPECT_TRUE(one.isUnix());
  EXPECT_EQ(one.toString(), "unix:@0123456789abcdeffedcba9876543210");
  EXPECT_EQ(one.ip(), "");
  EXPECT_EQ(one.port(), 0);
  EXPECT_EQ(one, unixAddress({0x0123456789abcdef, 0xfedcba9876543210}));
  EXPECT_NE(one, unixAddress({0x0123456789abcdef, 0xfedcba9876543211}));
  EXPECT_TRUE(one.sameHost(unixAddress({1, 2})));
  EXPECT_NE(one, resolve("127.0.0.1", 0, false).at(0));
  EXPECT_FALSE(one.sameHost(resolve("127.0.0.1", 0, false).at(0)));
}

TEST(SocketAddressTest, PortsHaveNames) {
  EXPECT_EQ(nameOfPort(80), nameOfPort(80));
  EXPECT_NE(nameOfPort(80), nameOfPort(81));
  EXPECT_TRUE(nameOfPort(0));
}

TEST(SocketAddressTest, OwnAreThoseOfThisMachine) {
  for (const char* own : {"127.0.0.1", "127.1.2.3", "0.0.0.0", "::1", "::"})
    EXPECT_TRUE(isOwn(resolve(own, 80, false).at(0))) << own;
  for (const char* remote : {"192.0.2.1", "203.0.113.9", "2001:db8::1"})
    EXPECT_FALSE(isOwn(resolve(remote, 80, false).at(0))) << remote;
}

TEST(SocketAddressTest, NamesThatAreNotOursAreNotShown) {
  SocketAddress address = unixAddress({1, 2});
  reinterpret_cast<char*>(&address.storage)[address.length - 1] = '\n';
  EXPECT_EQ(address.toString(), "unix:@");
  address.length = sizeof(sa_family_t);
  EXPECT_EQ(address.toString(), "unix:@");
}

TEST(SocketAddressTest, AddressOfNothingIsHarmless) {
  const SocketAddress none;
  EXPECT_EQ(none.ip(), "");
  EXPECT_EQ(none.port(), 0);
}

TEST(MachineIdTest, IsTheSameEachTime) {
  EXPECT_TRUE(machineId());
  EXPECT_EQ(machineId(), machineId());
}

}  // namespace
}  // namespace ucxx::door
