// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/peer_memory.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace ucxx::local::test {
namespace {

std::uint64_t addressOf(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Our own process is a peer like any other.
class PeerMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!memory_.isOpen()) GTEST_SKIP() << "the kernel refuses copies between processes here";
  }
  const Proof proof_;
  PeerMemory memory_{::getpid(), proof_.address(), proof_.bytes()};
};

TEST_F(PeerMemoryTest, CopiesBothWays) {
  const std::vector<char> from(100'000, 'a');
  std::vector<char> to(from.size());
  EXPECT_TRUE(memory_.read(to.data(), addressOf(from.data()), from.size(), from.size()));
  EXPECT_EQ(to, from);
  std::vector<char> back(from.size());
  EXPECT_TRUE(memory_.write(addressOf(back.data()), from.data(), from.size(), from.size()));
  EXPECT_EQ(back, from);
}

TEST_F(PeerMemoryTest, MemoryThatIsNotThereFailsAndTheNextCopyWorks) {
  char byte = 'a', other = 'b';
  EXPECT_FALSE(memory_.read(&byte, 16, 1, 1));
  EXPECT_FALSE(memory_.write(16, &byte, 1, 1));
  EXPECT_TRUE(memory_.isOpen());
  EXPECT_TRUE(memory_.read(&byte, addressOf(&other), 1, 1));
  EXPECT_EQ(byte, 'b');
}

TEST_F(PeerMemoryTest, ProofMustBeThere) {
  EXPECT_FALSE(PeerMemory(::getpid(), 16, proof_.bytes()).isOpen());
  EXPECT_FALSE(PeerMemory(::getpid(), proof_.address(), Proof().bytes()).isOpen());
  EXPECT_FALSE(PeerMemory(0, proof_.address(), proof_.bytes()).isOpen());
  EXPECT_FALSE(PeerMemory(-1, proof_.address(), proof_.bytes()).isOpen());
}

TEST_F(PeerMemoryTest, ProofEndsWithItsOwner) {
  alignas(Proof) std::byte place[sizeof(Proof)];
  auto* proof = new (place) Proof;
  const std::uint64_t address = proof->address();
  const Proof::Bytes bytes = proof->bytes();
  EXPECT_TRUE(PeerMemory(::getpid(), address, bytes).isOpen());
  proof->~Proof();
  EXPECT_FALSE(PeerMemory(::getpid(), address, bytes).isOpen());
}

}  // namespace
}  // namespace ucxx::local::test
