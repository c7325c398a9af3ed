// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Instead of src/door/door.cpp and connection.cpp.

#include <algorithm>

#include "sim/doors.h"

namespace ucxx::door {
namespace {

sim::Doors& doors() { return *sim::World::current().doors; }

}  // namespace

struct Door::Impl final : sim::FakeDoor {
  using FakeDoor::FakeDoor;
};

Door::Door(base::Poller&, const Events& events, const Limits&, SharedSecret, const Patience&)
    : impl_(std::make_unique<Impl>(sim::World::current(), events)) {}

Door::~Door() = default;

SocketAddress Door::listen(const SocketAddress& address, std::uint64_t listener, int) {
  return doors().listen(*impl_, address, listener);
}

SocketAddress Door::listenLocally(const base::Id128& name, std::uint64_t, int) {
  return doors().listenLocally(*impl_, name);
}

void Door::stopListening(std::uint64_t listener) noexcept {
  doors().stopListening(impl_->id, listener);
}

Call& Door::call(std::vector<SocketAddress> addresses, Hello hello, Descriptors descriptors,
                 void* context, std::chrono::milliseconds timeout) {
  auto call = std::make_unique<Call>();
  Call& made = *call;
  made = {doors().newId(), std::move(addresses),        std::move(hello), std::move(descriptors),
          context,         base::Clock::now() + timeout};
  impl_->calls[made.id] = std::move(call);
  doors().call(*impl_, made);
  return made;
}

void Door::hangUp(Call& call) noexcept {
  doors().lose(call.id, UCS_ERR_CONNECTION_RESET);  // if somebody has welcomed it already
  impl_->calls.erase(call.id);
}

void Door::extend(Call& call, base::TimePoint until) noexcept {
  call.deadline = std::max(call.deadline, until);
}

base::TimePoint Door::nextDeadline() const noexcept {
  if (doors().hasMail(impl_->id)) return base::TimePoint::min();
  base::TimePoint next = base::TimePoint::max();
  for (const auto& [id, call] : impl_->calls) next = std::min(next, call->deadline);
  return next;
}

void Door::onTime(base::TimePoint now) {
  while (!impl_->world.delays() && doors().deliver(impl_->id)) {
  }
  for (auto at = impl_->calls.begin(); at != impl_->calls.end(); ++at) {
    if (at->second->deadline > now) continue;
    doors().failCall(*impl_, at->first, UCS_ERR_TIMED_OUT);
    at->second->deadline = base::TimePoint::max();
  }
}

const Counters& Door::counters() const noexcept { return impl_->counters; }

void* contextOf(const Call& call) noexcept { return call.context; }

std::string whatWasSaidTo(const Call& call) {
  std::string all;
  for (const SocketAddress& address : call.addresses) all += address.toString() + ' ';
  return all;
}

// A simulated listener welcomes or refuses for good.
std::optional<Refusal> whyPutOff(const Call&) noexcept { return std::nullopt; }

Connection::Connection(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {
  impl_->self = this;
}

Connection::~Connection() { doors().forget(*impl_); }

void Connection::setExpecting(bool) noexcept {}

const SocketAddress& Connection::localAddress() const noexcept { return impl_->local; }

const SocketAddress& Connection::peerAddress() const noexcept { return impl_->remote; }

pid_t Connection::peerProcess() const noexcept { return 0; }
int Connection::descriptor() const noexcept { return -1; }

}  // namespace ucxx::door
