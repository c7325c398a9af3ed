// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/attempt.h"

#include <cerrno>
#include <utility>
#include <vector>

#include <sys/epoll.h>

#include <ucxx/exception.h>

#include "base/phase.h"
#include "base/system_error.h"
#include "door/call.h"
#include "door/door_state.h"
#include "door/socket.h"

namespace ucxx::door {
namespace {

constexpr std::uint32_t kListening = EPOLLIN | EPOLLRDHUP;

// Nobody waits in line for a Unix socket whose queue is full, as the kernel does it for TCP; and
// the descriptors that a user may have under way are limited.
ucs_status_t statusOf(int error) noexcept {
  return error == EAGAIN || error == ETOOMANYREFS ? UCS_ERR_BUSY : base::statusOfErrno(error);
}

std::vector<int> numbersOf(const Descriptors& descriptors) {
  std::vector<int> numbers;
  for (const auto& descriptor : descriptors) numbers.push_back(descriptor.get());
  return numbers;
}

}  // namespace

Attempt::~Attempt() {
  if (!socket_) return;  // not dialled, or given away
  door_.poller.remove(socket_.get(), *this);
  hangUp(socket_);
}

ucs_status_t Attempt::dial() noexcept {
  base::FileDescriptor socket = openSocket(to_.storage.ss_family);
  const int error = socket ? startConnecting(socket.get(), to_) : errno;
  if (error != 0) return statusOf(error);
  try {
    door_.poller.add(socket.get(), EPOLLOUT, *this);
  } catch (const Error& failure) {
    return failure.status();
  }
  socket_ = std::move(socket);
  return UCS_OK;
}

void Attempt::onReady(std::uint32_t) {
  door_.calls.orEnd(call_, [this] { goOn(); });
}

void Attempt::goOn() {
  if (!connected_) return onConnected();
  if (handshake_) return talk();
  // It waited for another attempt, and the peer lost patience, or had none to begin with.
  call_.onFailed(*this, UCS_ERR_CONNECTION_RESET);
}

void Attempt::onConnected() {
  const int error = pendingError(socket_.get());
  if (error != 0) return call_.onFailed(*this, statusOf(error));
  if (to_.isUnix() && !isOurUser(socket_.get())) {
    return call_.onFailed(*this, UCS_ERR_INVALID_ADDR);
  }
  connected_ = true;
  door_.poller.modify(socket_.get(), kListening, *this);
  call_.onConnected(*this);
}

void Attempt::speak(const Hello& hello, const Descriptors& descriptors) {
  handshake_.emplace(Handshake::calling(door_.limits, hello,
                                        to_.isUnix() ? numbersOf(descriptors) : std::vector<int>(),
                                        door_.secret.get()));
  talk();
  base::reached(base::Phase::HelloSent);
}

void Attempt::talk() {
  // If sending fails, a refusal may still be there to be read: it tells more.
  int send_error = transmit(socket_.get(), *handshake_);
  const int receive_error = receive(socket_.get(), *handshake_);
  if (send_error == 0) send_error = transmit(socket_.get(), *handshake_);  // the caller's proof
  if (handshake_->state() != Handshake::State::Talking) return call_.onAnswered(*this);
  const int error = receive_error != 0 ? receive_error : send_error;
  if (error != 0) return call_.onFailed(*this, statusOf(error));
  const bool more = !handshake_->pending().empty();
  door_.poller.modify(socket_.get(), kListening | (more ? EPOLLOUT : 0U), *this);
}

std::unique_ptr<Connection> Attempt::becomeConnection() {
  return door_.establish(std::move(socket_), to_);
}

}  // namespace ucxx::door
