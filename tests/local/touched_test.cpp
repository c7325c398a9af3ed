// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/touched.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "local/arena.h"
#include "local/peer_memory.h"

namespace ucxx::local::test {
namespace {

constexpr std::size_t kPart = Touched::kPartBytes;

/// Bytes of a mapping that count as this process's.
std::size_t residentOf(const void* mapping) {
  std::ostringstream begin;
  begin << std::hex << reinterpret_cast<std::uintptr_t>(mapping) << '-';
  std::ifstream maps("/proc/self/smaps");
  bool is_it = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find('-') < line.find(' ')) is_it = line.rfind(begin.str(), 0) == 0;
    if (is_it && line.rfind("Rss:", 0) == 0) return std::stoul(line.substr(4)) << 10;
  }
  return 0;
}

/// Memory of this process that it maps twice: once as its peer.
class TouchedTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(own_.populate(0, own_.bytes().size())); }
  /// Where the first whole part begins.
  std::size_t first() const {
    return kPart - reinterpret_cast<std::uintptr_t>(peers_.bytes().data()) % kPart;
  }
  void write(std::size_t part, std::size_t most = Touched::kMostParts) {
    const std::size_t offset = first() + part * kPart;
    touched_.touch(offset, kPart, true, most);
    std::memset(peers_.bytes().data() + offset, static_cast<int>(part + 1), kPart);
  }
  std::byte atOwner(std::size_t part) const { return own_.bytes()[first() + part * kPart]; }
  std::size_t resident() const { return residentOf(peers_.bytes().data()); }

  base::SharedMemory own_ = base::SharedMemory::reserve(16 * kPart + 4096);
  base::SharedMemory peers_ = base::SharedMemory::mapReserved(
      base::FileDescriptor(::fcntl(own_.descriptor(), F_DUPFD_CLOEXEC, 0)), 16 * kPart + 4096);
  Touched touched_{peers_};
};

TEST_F(TouchedTest, LetsGoOfWhatIsNotUsedAndTheOwnerKeepsIt) {
  EXPECT_TRUE(touched_.empty());
  for (std::size_t part = 0; part < 4; ++part) write(part);
  EXPECT_EQ(resident(), 4 * kPart);
  EXPECT_TRUE(touched_.keepIfUsed());
  write(2);
  EXPECT_TRUE(touched_.keepIfUsed());
  EXPECT_EQ(touched_.bytes(), 4 * kPart);
  EXPECT_FALSE(touched_.keepIfUsed());
  EXPECT_TRUE(touched_.empty());
  EXPECT_EQ(resident(), 0u);
  EXPECT_EQ(atOwner(3), std::byte{4});
  EXPECT_FALSE(touched_.keepIfUsed());
}

TEST_F(TouchedTest, OfTooManyTheFirstGoes) {
  for (std::size_t part = 0; part < 10; ++part) {
    write(part, 3);
    EXPECT_LE(resident(), 3 * kPart);
  }
  write(9, 3);
  write(8, 3);
  EXPECT_EQ(resident(), 3 * kPart);  // those were still there
  write(0, 3);
  EXPECT_EQ(touched_.bytes(), 3 * kPart);
  write(1, 1);
  EXPECT_EQ(resident(), kPart);
  EXPECT_EQ(atOwner(9), std::byte{10});
}

TEST_F(TouchedTest, APartIsTouchedByAnyByteOfIt) {
  touched_.touch(first() - 1, 2, false, 16);  // the first one is not whole
  EXPECT_EQ(touched_.bytes(), 2 * kPart);
  touched_.touch(peers_.bytes().size() - 1, 1, false, 16);  // nor is the last one
  EXPECT_EQ(touched_.bytes(), 3 * kPart);
  touched_.touch(0, 0, true, 16);
  EXPECT_EQ(touched_.bytes(), 3 * kPart);
  EXPECT_TRUE(touched_.keepIfUsed());
  EXPECT_FALSE(touched_.keepIfUsed());
}

TEST(TouchedPeerTest, CopiesTouchOnlyMappedMemory) {
  Arena& arena = *Arena::get();
  const Proof proof;
  PeerMemory memory(::getpid(), proof.address(), proof.bytes());
  const auto address = reinterpret_cast<std::uintptr_t>(arena.bytes().data());
  memory.map(base::FileDescriptor(::fcntl(arena.descriptor(), F_DUPFD_CLOEXEC, 0)), address,
             arena.bytes().size());
  const std::string own(100'000, 'a');
  std::string other(own.size(), 'b');
  void* const block = arena.allocate(own.size());
  const auto place = reinterpret_cast<std::uintptr_t>(block);
  if (memory.isOpen()) {
    EXPECT_TRUE(memory.read(other.data(), reinterpret_cast<std::uintptr_t>(own.data()), own.size(),
                            own.size()));
  }
  EXPECT_FALSE(memory.hasTouched());
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(memory.write(place, own.data(), own.size(), own.size()));
    EXPECT_TRUE(memory.hasTouched());
    EXPECT_TRUE(memory.keepTouchedIfUsed());
    EXPECT_FALSE(memory.keepTouchedIfUsed());
    EXPECT_FALSE(memory.hasTouched());
    ASSERT_TRUE(memory.read(other.data(), place, own.size(), own.size()));
    EXPECT_EQ(other, own);
    EXPECT_TRUE(memory.hasTouched());
  }
  arena.free(block, own.size());
}

}  // namespace
}  // namespace ucxx::local::test
