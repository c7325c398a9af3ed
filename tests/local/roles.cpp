// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the other process does.
#include <utility>

#include <sched.h>

#include "local/memory.h"
#include "local/peer.h"
#include "local/process.h"
#include "local/side.h"

namespace ucxx::local::test {
namespace {

/// Puts records of all sizes until it is killed.
int produce(int socket) {
  const auto memory = base::SharedMemory::map(receiveDescriptor(socket),
                                              RingMemory::bytesFor(RingMemory::kDefaultLines));
  sendDescriptor(socket, openOwnPidfd().get());
  Producer producer(memory.bytes());
  sim::Random random(1);
  for (std::uint64_t number = 0;; ++number) {
    const std::size_t size = random.below(producer.maxRecordBytes() - sizeof number + 1);
    const auto payload = content(number, size);
    while (!producer.put(bytesOf(number), payload.data(), size)) ::sched_yield();
  }
}

/// The second side of the litmus test.
int answer(int socket) {
  const auto memory = base::SharedMemory::map(receiveDescriptor(socket), Side::kMemoryBytes);
  base::FileDescriptor board_memory = receiveDescriptor(socket);
  PeerBoard theirs(std::move(board_memory), receiveDescriptor(socket), Side::kSlot);
  Board board;
  sendDescriptor(socket, board.memoryFd());
  sendDescriptor(socket, board.eventFd());
  return Side(memory.bytes(), false, board, theirs, true).run(1, litmusRounds()) ? 0 : 1;
}

}  // namespace

int runRole(const std::string& role, int socket) {
  return role == "produce" ? produce(socket) : answer(socket);
}

}  // namespace ucxx::local::test
