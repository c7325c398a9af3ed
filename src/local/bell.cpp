// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/bell.h"

#include <cerrno>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/status.h"
#include "base/system_error.h"
#include "local/fdinfo.h"

namespace ucxx::local {
namespace {

base::FileDescriptor openEvent() {
  base::requireNotForked();
  const base::ForkBarrier barrier;
  base::FileDescriptor event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!event) base::throwErrno(errno, "create the bell of a worker");
  return event;
}

// Whoever rings must never wait, and never write into another kind of file.
base::FileDescriptor checkedEvent(base::FileDescriptor event) {
  const int flags = ::fcntl(event.get(), F_GETFL);
  if (flags < 0) base::throwErrno(errno, "bell of a peer");
  if (!fdinfo(event.get(), "eventfd-count"))
    base::throwStatus(UCS_ERR_INVALID_PARAM, "bell of a peer: the descriptor is not an eventfd");
  if ((flags & O_NONBLOCK) == 0)
    base::throwStatus(UCS_ERR_INVALID_PARAM, "bell of a peer: the eventfd blocks");
  return event;
}

std::size_t checkedSlot(std::size_t slot) {
  if (slot >= BoardMemory::kSlots)
    base::throwStatus(UCS_ERR_INVALID_PARAM, "bell of a peer: there is no slot " +
                                                 std::to_string(slot) + ", only " +
                                                 std::to_string(BoardMemory::kSlots));
  return slot;
}

}  // namespace

Board::Board() : shared_(base::SharedMemory::create(sizeof(BoardMemory))), event_(openEvent()) {}

void Board::clearRings() noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(event_.get(), &count, sizeof count);
}

PeerBoard::PeerBoard(base::FileDescriptor memory, base::FileDescriptor event, std::size_t slot)
    : shared_(base::SharedMemory::map(std::move(memory), sizeof(BoardMemory))),
      event_(checkedEvent(std::move(event))),
      word_(checkedSlot(slot) / BoardMemory::kSlotsPerWord),
      bit_(std::uint64_t{1} << slot % BoardMemory::kSlotsPerWord) {
  shared_.closeDescriptor();
}

// A counter that is full is readable, so a write that fails is none too few.
void PeerBoard::ring(std::uint64_t sleep) noexcept {
  const int saved = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);
  errno = saved;
  base::reached(base::Phase::Rung);
  memory().sleep.compare_exchange_strong(sleep, sleep - 1, std::memory_order_seq_cst);
}

}  // namespace ucxx::local
