// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/listening_socket.h"

#include <cerrno>
#include <chrono>
#include <string>
#include <utility>

#include <sys/epoll.h>
#include <sys/resource.h>

#include "base/system_error.h"
#include "door/door_state.h"
#include "door/socket.h"

namespace ucxx::door {
namespace {

constexpr auto kPause = std::chrono::milliseconds(100);
// Callers accepted before others of the loop have their turn.
constexpr int kAcceptsPerRound = 16;

base::FileDescriptor listenOn(const SocketAddress& address, int backlog) {
  base::requireNotForked();
  base::FileDescriptor socket = openSocket(address.storage.ss_family);
  const int error = socket ? startListening(socket.get(), address, backlog) : errno;
  if (error != 0) base::throwErrno(error, "cannot listen on " + address.toString());
  return socket;
}

}  // namespace

ListeningSocket::ListeningSocket(DoorState& door, std::uint64_t id, const SocketAddress& address,
                                 int backlog)
    : door_(door), id_(id), socket_(listenOn(address, backlog)) {
  door_.poller.add(socket_.get(), EPOLLIN, *this);
}

ListeningSocket::~ListeningSocket() { door_.poller.remove(socket_.get(), *this); }

SocketAddress ListeningSocket::address() const noexcept { return localAddressOf(socket_.get()); }

void ListeningSocket::onReady(std::uint32_t) {
  DoorState& door = door_;  // an event may destroy this listener: then `this` is only compared
  for (int i = 0; i < kAcceptsPerRound && door.isListening(this); ++i) {
    if (!acceptOne()) return;
  }
}

bool ListeningSocket::acceptOne() {
  SocketAddress from;
  base::FileDescriptor socket = acceptSocket(socket_.get(), from);
  if (!socket) return onAcceptError(errno);
  ++door_.counters.accepted;
  try {
    door_.half_opens.admit(id_, std::move(socket), from);
  } catch (const std::bad_alloc&) {  // the caller sees a hang-up
  }
  return true;
}

// True: look for the next caller. What accept(2) calls errors of the new connection only cost that
// connection; anything else gets a pause, so that the loop does not spin on it, and another try.
bool ListeningSocket::onAcceptError(int error) {
  switch (error) {
    case EAGAIN:
      return false;
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case EOPNOTSUPP:
    case ENETUNREACH:
    case EPERM:
      return true;
    case EMFILE:
    case ENFILE:
      ++door_.counters.out_of_descriptors;
      reportDrought();
      sendOneAway();
      break;
    default:
      break;
  }
  pause();
  return false;
}

void ListeningSocket::reportDrought() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  drought_.log(LogLevel::Warn, "door",
               "no file descriptors are left to take a caller: the process may open {} (ulimit -n)",
               limit.rlim_cur);
}

// The one who waits longest is told to come again; the others wait in the kernel's queue.
void ListeningSocket::sendOneAway() {
  if (!door_.reserve->giveUpOne()) return;
  SocketAddress from;
  base::FileDescriptor socket = acceptSocket(socket_.get(), from);
  if (socket) {
    ++door_.counters.accepted;
    door_.half_opens.refuse(std::move(socket), Refusal::OutOfDescriptors);
  }
  door_.reserve->refill();
}

void ListeningSocket::pause() {
  paused_until_ = base::Clock::now() + kPause;
  door_.poller.modify(socket_.get(), 0, *this);
}

void ListeningSocket::onTime(base::TimePoint now) {
  if (now < paused_until_) return;
  paused_until_ = base::TimePoint::max();
  door_.reserve->refill();
  door_.poller.modify(socket_.get(), EPOLLIN, *this);
}

}  // namespace ucxx::door
