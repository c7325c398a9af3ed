// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/meeting.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "base/system_error.h"
#include "shmem/memory/segment.h"

namespace ucxx::shmem {

SocketName::SocketName(const ProcessInfo& first) {
  address.sun_family = AF_UNIX;
  const std::string text =
      fmt::format("ucxx-shmem-{:016x}{:016x}", first.socket[0], first.socket[1]);
  std::copy(text.begin(), text.end(), address.sun_path + 1);
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
}

base::FileDescriptor openSocket() {
  const base::ForkBarrier barrier;
  base::FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) base::throwErrno(errno, "socket");
  return socket;
}

pid_t processAt(int socket) noexcept {
  ucred peer{};
  socklen_t length = sizeof peer;
  const bool is_known = ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0;
  return is_known && peer.uid == ::geteuid() ? peer.pid : 0;
}

void introduce(base::SharedMemory& memory, const Layout& layout, int rank,
               const ProcessInfo& info) {
  populateFixedParts(memory, layout, rank);
  std::byte* const slot = memory.bytes().data() + layout.slotOffset(static_cast<std::size_t>(rank));
  Control& control = *reinterpret_cast<Control*>(slot);
  control.pid.store(static_cast<std::int32_t>(info.pid), std::memory_order_relaxed);
  control.start_time.store(info.start_time, std::memory_order_release);
}

}  // namespace ucxx::shmem
