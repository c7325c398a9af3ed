// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/door.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "door/connection.h"
#include "door/door_state.h"

namespace ucxx::door {
namespace {

// So that 'for ever' may be said with any large number.
constexpr std::chrono::milliseconds kLongestCall = std::chrono::hours(24 * 365);

}  // namespace

bool DoorState::isListening(const ListeningSocket* listener) const noexcept {
  return std::any_of(listeners.begin(), listeners.end(),
                     [&](const auto& each) { return each.get() == listener; });
}

std::unique_ptr<Connection> DoorState::establish(base::FileDescriptor socket,
                                                 const SocketAddress& peer) {
  return std::make_unique<Connection>(
      std::make_unique<Connection::Impl>(*this, std::move(socket), peer));
}

Door::Door(base::Poller& poller, const Events& events, const Limits& limits, SharedSecret secret,
           const Patience& patience)
    : impl_(std::make_unique<Impl>(poller, events, limits, std::move(secret), patience)) {}

Door::~Door() = default;

SocketAddress Door::listen(const SocketAddress& address, std::uint64_t listener, int backlog) {
  base::requireNotForked();
  if (!impl_->reserve) {
    impl_->reserve = DescriptorReserve::shared(impl_->limits.reserved_descriptors);
  }
  impl_->listeners.push_back(std::make_unique<ListeningSocket>(*impl_, listener, address, backlog));
  return impl_->listeners.back()->address();
}

SocketAddress Door::listenLocally(const base::Id128& name, std::uint64_t listener, int backlog) {
  return listen(unixAddress(name), listener, backlog);
}

void Door::stopListening(std::uint64_t listener) noexcept {
  std::erase_if(impl_->listeners, [&](const auto& each) { return each->id() == listener; });
  impl_->half_opens.abandon(listener);
}

Call& Door::call(std::vector<SocketAddress> addresses, Hello hello, Descriptors descriptors,
                 void* context, std::chrono::milliseconds timeout) {
  base::requireNotForked();
  return impl_->calls.start(std::move(addresses), std::move(hello), std::move(descriptors), context,
                            base::Clock::now() + std::min(timeout, kLongestCall));
}

void Door::extend(Call& call, base::TimePoint until) noexcept {
  call.extend(std::min(until, base::Clock::now() + kLongestCall));
}

void Door::hangUp(Call& call) noexcept { impl_->calls.take(call); }

base::TimePoint Door::nextDeadline() const noexcept {
  base::TimePoint next = std::min({impl_->half_opens.nextDeadline(), impl_->calls.nextDeadline(),
                                   impl_->heartbeats.nextDeadline()});
  for (const auto& listener : impl_->listeners) next = std::min(next, listener->pausedUntil());
  return next;
}

void Door::onTime(base::TimePoint now) {
  base::requireNotForked();
  for (const auto& listener : impl_->listeners) listener->onTime(now);
  impl_->half_opens.onTime(now);
  impl_->heartbeats.onTime(now);
  impl_->calls.onTime(now);
}

const Counters& Door::counters() const noexcept { return impl_->counters; }

void* contextOf(const Call& call) noexcept { return call.context(); }

std::string whatWasSaidTo(const Call& call) { return call.whatWasSaid(); }

std::optional<Refusal> whyPutOff(const Call& call) noexcept { return call.whyPutOff(); }

}  // namespace ucxx::door
