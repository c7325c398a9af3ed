// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "door/descriptor_passing.h"

namespace ucxx::door {
namespace {

void setOption(int socket, int level, int option, int value) noexcept {
  // These can only fail on a socket that is already broken, which the next call notices.
  ::setsockopt(socket, level, option, &value, sizeof value);
}

void keepAlive(int socket, int idle_s, int interval_s, int probes) noexcept {
  setOption(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  setOption(socket, IPPROTO_TCP, TCP_KEEPIDLE, idle_s);
  setOption(socket, IPPROTO_TCP, TCP_KEEPINTVL, interval_s);
  setOption(socket, IPPROTO_TCP, TCP_KEEPCNT, probes);
}

sockaddr* generic(SocketAddress& address) { return reinterpret_cast<sockaddr*>(&address.storage); }

const sockaddr* generic(const SocketAddress& address) {
  return reinterpret_cast<const sockaddr*>(&address.storage);
}

bool wouldBlock(ssize_t result) { return result == -EAGAIN || result == -EWOULDBLOCK; }

}  // namespace

base::FileDescriptor openSocket(int family) noexcept {
  const base::ForkBarrier barrier;
  return base::FileDescriptor(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

base::FileDescriptor acceptSocket(int listening, SocketAddress& from) noexcept {
  from.length = sizeof from.storage;
  const base::ForkBarrier barrier;
  base::FileDescriptor socket(
      ::accept4(listening, generic(from), &from.length, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket && !from.isUnix()) setOption(socket.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  return socket;
}

int startListening(int socket, const SocketAddress& address, int backlog) noexcept {
  // A restart need not wait for TIME_WAIT.
  if (!address.isUnix()) setOption(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.storage.ss_family == AF_INET6) setOption(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  if (::bind(socket, generic(address), address.length) != 0) return errno;
  return ::listen(socket, backlog) == 0 ? 0 : errno;
}

int startConnecting(int socket, const SocketAddress& to) noexcept {
  if (!to.isUnix()) setOption(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  if (::connect(socket, generic(to), to.length) == 0 || errno == EINPROGRESS) return 0;
  return errno;
}

int pendingError(int socket) noexcept {
  int error = 0;
  socklen_t length = sizeof error;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

SocketAddress localAddressOf(int socket) noexcept {
  SocketAddress address;
  address.length = sizeof address.storage;
  ::getsockname(socket, generic(address), &address.length);
  return address;
}

ucred peerOf(int socket) noexcept {
  ucred peer{0, static_cast<uid_t>(-1), static_cast<gid_t>(-1)};
  socklen_t length = sizeof peer;
  ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length);
  return peer;
}

bool isOurUser(int socket) noexcept { return peerOf(socket).uid == ::geteuid(); }

// One kernel holds both ends: it reports every death, and silence means nothing. Worse, loopback
// drops what a thousand sockets send in the same tick (net.core.netdev_max_backlog), and probes of
// sockets that were opened together stay together: with 1 s and three probes, hundreds of 2,000
// idle connections were given up (measured). So there only a slow probe remains, for a lost
// goodbye; its idle time differs from its interval to draw such a crowd apart.
void watchSameKernel(int socket) noexcept { keepAlive(socket, 15, 5, 8); }

// With a user timeout, Linux counts no probes: it gives up when that is over.
void watch(int socket, std::chrono::milliseconds patience) noexcept {
  keepAlive(socket, 1, 1, 3);
  setPatience(socket, patience);
}

void setPatience(int socket, std::chrono::milliseconds patience) noexcept {
  setOption(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(patience.count()));
}

void hangUp(base::FileDescriptor& socket) noexcept {
  if (socket && !base::isForkedChild()) ::shutdown(socket.get(), SHUT_RDWR);
  socket.reset();
}

ssize_t receiveSome(int socket, std::span<std::byte> into) noexcept {
  iovec part{into.data(), into.size()};
  msghdr message{};  // without room for descriptors, so that the kernel tells of any
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &message, MSG_DONTWAIT);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  return (message.msg_flags & MSG_CTRUNC) != 0 ? -EBADMSG : got;
}

ssize_t sendSome(int socket, std::span<const std::byte> bytes) noexcept {
  return sendWith(socket, bytes, {});
}

int transmit(int socket, Handshake& handshake) noexcept {
  while (!handshake.pending().empty()) {
    const ssize_t sent = sendWith(socket, handshake.pending(), handshake.enclosed());
    if (wouldBlock(sent)) return 0;
    if (sent < 0) return static_cast<int>(-sent);
    handshake.sent(static_cast<std::size_t>(sent));
  }
  return 0;
}

int receive(int socket, Handshake& handshake) {
  std::array<std::byte, 4096> buffer;
  while (handshake.wanted() > 0) {
    const auto room = std::span(buffer).first(std::min(handshake.wanted(), buffer.size()));
    Descriptors with;
    const ssize_t got =
        handshake.isAtStart() ? receiveWith(socket, room, with) : receiveSome(socket, room);
    if (wouldBlock(got)) return 0;
    if (got == -EBADMSG) {
      handshake.receiveStray();
      continue;
    }
    if (got == -EMFILE && handshake.receivePoorly()) continue;
    if (got <= 0) return got == 0 ? ECONNRESET : static_cast<int>(-got);
    handshake.receive(room.first(static_cast<std::size_t>(got)), std::move(with));
  }
  return 0;
}

}  // namespace ucxx::door
