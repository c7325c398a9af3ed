// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/memory_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <ucs/type/status.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/system_error.h"
#include "door/descriptor_passing.h"
#include "shmem/joining/meeting.h"
#include "shmem/joining/texts.h"

namespace ucxx::shmem {
namespace {

[[noreturn]] void refuse(const std::string& why) { base::throwStatus(UCS_ERR_UNREACHABLE, why); }

[[noreturn]] void missRankZero(const ProcessInfo& first) {
  refuse(nameOfPe(0, first) +
         " does not hand out the memory: has it ended, or has the allgather failed there?");
}

base::FileDescriptor visit(const ProcessInfo& first) {
  base::FileDescriptor socket = openSocket();
  const SocketName name(first);
  if (::connect(socket.get(), name.get(), name.length) != 0) {
    if (errno == ECONNREFUSED) missRankZero(first);
    base::throwErrno(errno, "connect to the Unix socket of PE 0");
  }
  if (processAt(socket.get()) != first.pid) missRankZero(first);
  return socket;
}

/// Until a message or its end; false: not in time.
bool awaitSocket(int socket, base::TimePoint end) {
  constexpr auto longest = std::chrono::milliseconds(std::chrono::minutes(1));
  while (base::Clock::now() < end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - base::Clock::now());
    pollfd wanted{socket, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::clamp(left, {}, longest).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) base::throwErrno(errno, "poll");
  }
  return false;
}

base::FileDescriptor receive(int socket, const ProcessInfo& first) {
  if (!awaitSocket(socket, base::deadlineAfter(kPatience))) missRankZero(first);
  std::array<std::byte, 1> byte{};
  door::Descriptors descriptors;
  const ssize_t got = door::receiveWith(socket, byte, descriptors);
  if (got == -EMFILE) base::throwErrno(EMFILE, "receive the memory");
  if (got != 1 || descriptors.size() != 1) missRankZero(first);
  return std::move(descriptors.front());
}

/// Where that fails rank 0 has ended, which is seen later.
void answer(int socket, const std::string& error) noexcept {
  Result result;
  copyText(result.error, error);
  [[maybe_unused]] const ssize_t sent =
      ::send(socket, &result, sizeof result, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// Rank 0 hangs up after it has written whether all have the memory, or when it ends.
void requireAllHere(int socket, const Common& common, const ProcessInfo& first) {
  awaitSocket(socket, base::TimePoint::max());
  const HandOut hand_out = common.hand_out.load(std::memory_order_acquire);
  if (hand_out == HandOut::None) refuse(nameOfPe(0, first) + " has ended");
  if (hand_out == HandOut::Refused) refuse(common.refusal);
}

}  // namespace

base::SharedMemory fetch(const std::vector<ProcessInfo>& infos, int rank, const Layout& layout) {
  const ProcessInfo& first = infos[0];
  const base::FileDescriptor socket = visit(first);
  base::SharedMemory memory;
  try {
    memory = base::SharedMemory::mapReserved(receive(socket.get(), first), layout.bytes(),
                                             kSlotAlignment);
    introduce(memory, layout, rank, infos[static_cast<std::size_t>(rank)]);
  } catch (const std::exception& error) {
    answer(socket.get(), error.what());
    throw;
  }
  answer(socket.get(), {});
  requireAllHere(socket.get(), commonIn(memory), first);
  return memory;
}

}  // namespace ucxx::shmem
