// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <sys/epoll.h>

#include "door/door_state.h"
#include "door/socket.h"

namespace ucxx::door {
namespace {

constexpr std::uint32_t kWatched = EPOLLIN | EPOLLRDHUP;

ucs_status_t statusOfLoss(int error) {
  switch (error) {
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case ENETUNREACH:
    case ENETDOWN:
      return UCS_ERR_ENDPOINT_TIMEOUT;
    default:
      return UCS_ERR_CONNECTION_RESET;
  }
}

}  // namespace

Connection::Connection(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {
  impl_->self = this;
}

Connection::~Connection() = default;

void Connection::setExpecting(bool expecting) noexcept {
  impl_->expecting = expecting;
  if (!expecting) return;
  impl_->expected = true;
  if (!impl_->beating && !impl_->same_kernel && impl_->door != nullptr)
    impl_->door->heartbeats.start(*impl_);
}

const SocketAddress& Connection::localAddress() const noexcept { return impl_->local; }

const SocketAddress& Connection::peerAddress() const noexcept { return impl_->peer; }

int Connection::descriptor() const noexcept { return impl_->socket.get(); }

pid_t Connection::peerProcess() const noexcept { return peerOf(impl_->socket.get()).pid; }

Connection::Impl::Impl(DoorState& door, base::FileDescriptor socket, const SocketAddress& peer)
    : door(&door),
      socket(std::move(socket)),
      local(localAddressOf(this->socket.get())),
      peer(peer),
      same_kernel(local.sameHost(peer)),
      patience(door.patience) {
  door.heartbeats.join(*this);
  try {
    if (same_kernel && !peer.isUnix()) watchSameKernel(this->socket.get());
    if (!same_kernel) watch(this->socket.get(), patience.calm);
    door.poller.modify(this->socket.get(), kWatched, *this);
  } catch (...) {
    door.heartbeats.leave(*this);
    throw;
  }
}

Connection::Impl::~Impl() {
  if (door != nullptr) {
    door->poller.remove(socket.get(), *this);
    door->heartbeats.leave(*this);
  }
  hangUp(socket);
}

void Connection::Impl::forgetDoor() noexcept {
  door->poller.remove(socket.get(), *this);
  door = nullptr;
}

void Connection::Impl::onReady(std::uint32_t events) {
  ucs_status_t status = read();
  if (status == UCS_OK && (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
    status = statusOfLoss(pendingError(socket.get()));
  }
  if (status != UCS_OK) lose(status);
}

ucs_status_t Connection::Impl::read() noexcept {
  std::array<std::byte, 512> buffer;
  const ssize_t got = receiveSome(socket.get(), buffer);
  if (got == -EAGAIN) return UCS_OK;
  if (got <= 0) return statusOfLoss(static_cast<int>(-got));
  return understand(std::span(buffer).first(static_cast<std::size_t>(got)));
}

ucs_status_t Connection::Impl::understand(std::span<const std::byte> bytes) noexcept {
  const auto beats = std::count(bytes.begin(), bytes.end(), kBeat);
  const auto answers = std::count(bytes.begin(), bytes.end(), kBeatAnswer);
  if (beats + answers != std::ssize(bytes)) return UCS_ERR_CONNECTION_RESET;
  if (answers > 0) unanswered = 0;
  if (beats > 0) sendSome(socket.get(), std::span(&kBeatAnswer, 1));
  return UCS_OK;
}

void Connection::Impl::lose(ucs_status_t status) {
  lost = true;
  door->poller.remove(socket.get(), *this);
  const Events& events = door->events;
  events.onLost(events.owner, *self, status);  // may destroy this object
}

// A failure shows in the next event of the socket. Beyond the limit the peer's kernel may run out
// of room, and under a user timeout that would count as silence.
void Connection::Impl::sendBeat() noexcept {
  if (unanswered >= kMaxUnanswered) return setTense(false);
  setTense(true);
  if (sendSome(socket.get(), std::span(&kBeat, 1)) == 1) ++unanswered;
}

void Connection::Impl::setTense(bool tense) noexcept {
  if (tense_ == tense) return;
  tense_ = tense;
  setPatience(socket.get(), tense ? patience.tense : patience.calm);
}

}  // namespace ucxx::door
