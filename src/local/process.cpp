// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/process.h"

#include <cerrno>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/status.h"
#include "base/system_error.h"
#include "local/fdinfo.h"

namespace ucxx::local {
namespace {

constexpr long kPidfdOpen = 434;  // glibc's and older kernels' headers lack the name

[[noreturn]] void throwOpenError(int error) {
  if (error == ENOSYS)
    base::throwStatus(UCS_ERR_UNSUPPORTED, "pidfd_open is missing: Linux 5.3 or newer is needed");
  base::throwErrno(error, "pidfd_open");
}

pid_t readPid(int pidfd) {
  const auto text = fdinfo(pidfd, "Pid");
  pid_t pid = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), pid).ec != std::errc())
    base::throwStatus(UCS_ERR_INVALID_PARAM, "the descriptor of a peer's process is not a pidfd");
  return pid;
}

}  // namespace

base::FileDescriptor openPidfd(pid_t pid) noexcept {
  const base::ForkBarrier barrier;
  return base::FileDescriptor(static_cast<int>(::syscall(kPidfdOpen, pid, 0)));
}

base::FileDescriptor openOwnPidfd() {
  base::requireNotForked();
  base::FileDescriptor pidfd = openPidfd(::getpid());
  if (!pidfd) throwOpenError(errno);
  return pidfd;
}

PeerProcess::PeerProcess(base::FileDescriptor pidfd)
    : pidfd_(std::move(pidfd)), pid_(readPid(pidfd_.get())) {}

bool PeerProcess::isAlive() const noexcept { return isThere(-1); }

bool PeerProcess::isThere(int socket) const noexcept {
  pollfd ends[] = {{pidfd_.get(), POLLIN, 0}, {socket, POLLRDHUP, 0}};
  int ready = 0;
  do {
    ready = ::poll(ends, std::size(ends), 0);  // ignores a descriptor below 0
  } while (ready < 0 && errno == EINTR);
  return ready <= 0;  // an error proves no end
}

bool PeerProcess::isAt(int socket) const noexcept {
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.pid == pid_;
}

bool PeerProcess::canRunBeside() const noexcept {
  cpu_set_t own, peers;
  CPU_ZERO(&own);
  CPU_ZERO(&peers);
  if (sched_getaffinity(0, sizeof own, &own) != 0) return false;
  if (pid_ > 0) (void)sched_getaffinity(pid_, sizeof peers, &peers);
  CPU_OR(&own, &own, &peers);
  return CPU_COUNT(&own) > 1;
}

}  // namespace ucxx::local
