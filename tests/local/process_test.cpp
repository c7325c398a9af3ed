// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/process.h"

#include <chrono>
#include <csignal>
#include <optional>

#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ucxx/exception.h>

#include "local/memory.h"
#include "local/peer.h"
#include "sim/random.h"

namespace ucxx::local::test {
namespace {

using Clock = std::chrono::steady_clock;

/// The process that puts records, and our end of its ring.
class Victim {
 public:
  Victim() : peer_("produce") {
    sendDescriptor(peer_.socket(), memory_.descriptor());
    process_.emplace(receiveDescriptor(peer_.socket()));
  }

  /// Takes `count` records, of which some may not have been put yet.
  void takeAll(std::size_t count) {
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (count > 0 && Clock::now() < deadline) {
      count -= take(count);
      ::sched_yield();
    }
    EXPECT_EQ(count, 0u);
  }
  /// Takes up to `count` records; how many were there and right.
  std::size_t take(std::size_t count) {
    std::size_t taken = 0;
    while (taken < count && takeOne()) ++taken;
    return taken;
  }
  Peer& peer() { return peer_; }
  const PeerProcess& process() const { return *process_; }
  const Consumer& consumer() const { return consumer_; }

 private:
  bool takeOne() {
    const auto record = consumer_.peek();
    if (!record) {
      consumer_.release();
      return false;
    }
    EXPECT_EQ(valueOf<std::uint64_t>(record->header), next_);
    EXPECT_TRUE(equal(record->payload, content(next_, record->payload.size()))) << next_;
    ++next_;
    consumer_.pop();
    return !testing::Test::HasFailure();
  }

  base::SharedMemory memory_ =
      base::SharedMemory::create(RingMemory::bytesFor(RingMemory::kDefaultLines));
  Consumer consumer_{memory_.bytes()};
  Peer peer_;
  std::optional<PeerProcess> process_;
  std::uint64_t next_ = 0;
};

bool endsInTime(const PeerProcess& process) {
  pollfd waiting{process.descriptor(), POLLIN, 0};
  return ::poll(&waiting, 1, 20000) == 1;
}

TEST(ProcessTest, OwnPidfdNamesUs) {
  const PeerProcess self(openOwnPidfd());
  EXPECT_EQ(self.pid(), ::getpid());
  EXPECT_TRUE(self.isAlive());
}

TEST(ProcessTest, SocketsTellWhoMadeThem) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const base::FileDescriptor first(ends[0]), second(ends[1]);
  const PeerProcess self(openOwnPidfd());
  EXPECT_TRUE(self.isAt(first.get()));
  EXPECT_FALSE(self.isAt(STDIN_FILENO));
  EXPECT_FALSE(self.isAt(-1));
}

TEST(ProcessTest, OtherDescriptorsAreRefused) {
  EXPECT_THROW(PeerProcess(base::FileDescriptor(::eventfd(0, EFD_CLOEXEC))), InvalidParamError);
  EXPECT_THROW(PeerProcess(base::FileDescriptor(::dup(STDERR_FILENO))), InvalidParamError);
  EXPECT_THROW(PeerProcess{base::FileDescriptor()}, Error);
}

TEST(ProcessTest, PidfdTellsTheEnd) {
  Victim victim;
  ASSERT_EQ(victim.process().pid(), victim.peer().pid());
  EXPECT_TRUE(victim.process().isAlive());
  ::kill(victim.peer().pid(), SIGSTOP);
  EXPECT_TRUE(victim.process().isAlive());
  victim.peer().kill();
  EXPECT_TRUE(endsInTime(victim.process()));
  EXPECT_FALSE(victim.process().isAlive());
  victim.peer().wait();
  EXPECT_FALSE(victim.process().isAlive());
}

TEST(ProcessTest, OfAKilledProducerOnlyWholeRecordsAreSeen) {
  sim::Random random(1);
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    Victim victim;
    victim.takeAll(random.below(300));
    victim.peer().kill();
    ASSERT_TRUE(endsInTime(victim.process()));
    victim.take(RingMemory::kDefaultLines);
    EXPECT_FALSE(victim.consumer().isBroken());
  }
}

}  // namespace
}  // namespace ucxx::local::test
