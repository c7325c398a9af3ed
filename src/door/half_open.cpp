// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/half_open.h"

#include <cerrno>
#include <memory>
#include <utility>
#include <variant>

#include <sys/epoll.h>
#include <sys/ioctl.h>

#include "base/phase.h"
#include "door/door_state.h"
#include "door/socket.h"

namespace ucxx::door {
namespace {

constexpr std::uint32_t kHangUp = EPOLLRDHUP;
constexpr std::uint32_t kListening = EPOLLIN | EPOLLRDHUP;

/// Sets a flag until its end, perhaps by an exception of the owner.
class Deciding {
 public:
  explicit Deciding(bool& flag) : flag_(flag) { flag_ = true; }
  ~Deciding() { flag_ = false; }
  Deciding(const Deciding&) = delete;
  Deciding& operator=(const Deciding&) = delete;

 private:
  bool& flag_;
};

}  // namespace

HalfOpen::HalfOpen(DoorState& door, std::uint64_t listener, base::FileDescriptor socket,
                   const SocketAddress& from, base::TimePoint deadline, bool is_held)
    : door_(door),
      listener_(listener),
      socket_(std::move(socket)),
      from_(from),
      deadline_(deadline),
      handshake_(Handshake::answering(door.limits, door.secret.get())),
      is_held_(is_held) {
  door_.poller.add(socket_.get(), is_held ? kHangUp : kListening, *this);
}

HalfOpen::~HalfOpen() {
  if (!socket_) return;  // it became a connection
  door_.poller.remove(socket_.get(), *this);
  hangUp(socket_);
}

void HalfOpen::onReady(std::uint32_t events) {
  gone_ = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  door_.half_opens.orDrop(*this, [this] { is_held_ ? end() : goOn(); });
}

void HalfOpen::release() {
  door_.poller.modify(socket_.get(), kListening, *this);
  is_held_ = false;
}

void HalfOpen::advance() {
  door_.half_opens.orDrop(*this, [this] { goOn(); });
}

void HalfOpen::goOn() {
  if (receive(socket_.get(), handshake_) != 0) return end();
  if (handshake_.state() == Handshake::State::Asked && !decide()) return;
  base::reached(base::Phase::HelloHeard);
  if (speak() != 0) return end();
  base::reached(base::Phase::HelloAnswered);
  settle();
}

/// False if this object ended.
bool HalfOpen::decide() {
  if (!gone_) askOwner();
  if (!gone_ && !abandoned_) return true;
  end();
  return false;
}

void HalfOpen::askOwner() {
  const Deciding deciding(deciding_);
  const Events& events = door_.events;
  const Answer answer = events.onHello(events.owner, listener_, handshake_.hello(),
                                       handshake_.takeDescriptors(), from_);
  if (const auto* refused = std::get_if<Refused>(&answer)) return handshake_.refuse(*refused);
  const auto& welcome = std::get<Welcome>(answer);
  handshake_.welcome(welcome.hello, from_.isUnix() ? welcome.descriptors : std::vector<int>());
}

// The descriptors that a user may have under way are limited. That passes, so the caller is told to
// come again.
int HalfOpen::speak() {
  const int error = transmit(socket_.get(), handshake_);
  if (error != ETOOMANYREFS) return error;
  handshake_.refuse({.reason = Refusal::Busy});
  return transmit(socket_.get(), handshake_);
}

void HalfOpen::settle() {
  switch (handshake_.state()) {
    case Handshake::State::Talking:
    case Handshake::State::Asked:
      if (gone_) return end();
      return watch();
    case Handshake::State::Established:
      return becomeConnection();
    case Handshake::State::Refused:
    case Handshake::State::Garbage:
      return end();
  }
}

void HalfOpen::watch() {
  const bool has_more = !handshake_.pending().empty();
  door_.poller.modify(socket_.get(), has_more ? kHangUp | EPOLLOUT : kListening, *this);
}

void HalfOpen::becomeConnection() {
  const auto self = door_.half_opens.take(*this);
  const Events& events = door_.events;
  auto connection = door_.establish(std::move(socket_), from_);
  ++door_.counters.welcomed;
  events.onAccepted(events.owner, handshake_.hello(), std::move(connection));
}

void HalfOpen::end() {
  count();
  door_.half_opens.take(*this);
}

void HalfOpen::count() {
  const Refusal reason = handshake_.refused().reason;
  if (reason == Refusal::Authentication)
    door_.half_opens.report(reason, "a caller at " + from_.toString());
  if (handshake_.isProofWrong()) door_.half_opens.onWrongProof(from_);
  if (handshake_.state() == Handshake::State::Garbage || reason == Refusal::Malformed) {
    ++door_.counters.garbage;
  } else if (reason != Refusal{}) {
    ++door_.counters.refused;
  }
}

void HalfOpen::abandon() {
  if (deciding_) {
    abandoned_ = true;
  } else {
    end();
  }
}

bool HalfOpen::hasUnread() const noexcept {
  int bytes = 0;
  return ::ioctl(socket_.get(), FIONREAD, &bytes) == 0 && bytes > 0;
}

// Behind the beginning of an answer no other can follow.
void HalfOpen::makeRoom() {
  if (deciding_) return;
  if (handshake_.pending().empty()) sayNo(socket_.get(), Refusal::Busy);
  ++door_.counters.refused;
  door_.half_opens.take(*this);
}

}  // namespace ucxx::door
