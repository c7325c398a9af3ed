// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What stands on base, local and door alone loads neither UCX nor OpenSSL: UCX patches mmap and its
// like when it is loaded, which takes 0.4 s of a program's start.
#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/foreign_fence.h"
#include "base/id128.h"
#include "base/poller.h"
#include "base/shared_memory.h"
#include "door/descriptor_passing.h"
#include "door/machine_id.h"
#include "local/bulk_copy.h"
#include "local/process.h"

namespace ucxx {
namespace {

std::string loadedLibraries() {
  std::ifstream maps("/proc/self/maps");
  std::string line, libraries;
  while (std::getline(maps, line)) {
    if (line.find(".so") != std::string::npos) libraries += line.substr(line.find('/')) + "\n";
  }
  return libraries;
}

// Uses something of each, so that the linker takes it.
TEST(GroundTest, LoadsNeitherUcxNorOpenSsl) {
  base::SharedMemory memory = base::SharedMemory::reserve(1 << 20);
  ASSERT_TRUE(memory.populate(0, 4096));
  std::array<std::byte, 4096> bytes{};
  bytes.fill(std::byte{7});
  local::copyStreaming(memory.bytes().data(), bytes.data(), bytes.size());
  EXPECT_EQ(memory.bytes()[4095], std::byte{7});
  base::foreignFence();
  EXPECT_TRUE(base::randomId128());
  EXPECT_TRUE(door::machineId());
  const base::Poller poller;
  EXPECT_GE(poller.fd(), 0);

  const std::string libraries = loadedLibraries();
  for (const char* name : {"libucp", "libucs", "libuct", "libucm", "libcrypto", "libucxx"})
    EXPECT_EQ(libraries.find(name), std::string::npos) << name << " in\n" << libraries;
}

TEST(GroundTest, HandsOutMemoryAndProcesses) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const base::FileDescriptor one(ends[0]), other(ends[1]);
  base::SharedMemory memory = base::SharedMemory::reserve(1 << 20);
  const base::FileDescriptor own = local::openOwnPidfd();

  const std::array sent{memory.descriptor(), own.get()};
  const std::array<std::byte, 1> byte{};
  ASSERT_EQ(door::sendWith(one.get(), byte, sent), 1);
  std::array<std::byte, 1> into{};
  door::Descriptors received;
  ASSERT_EQ(door::receiveWith(other.get(), into, received), 1);
  ASSERT_EQ(received.size(), 2U);

  const auto peers = base::SharedMemory::mapReserved(std::move(received[0]), 1 << 20);
  ASSERT_TRUE(memory.populate(0, 4096));
  memory.bytes()[5] = std::byte{9};
  EXPECT_EQ(peers.bytes()[5], std::byte{9});
  EXPECT_TRUE(local::PeerProcess(std::move(received[1])).isAlive());
}

}  // namespace
}  // namespace ucxx
