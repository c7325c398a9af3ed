// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "sim/doors.h"

#include <algorithm>
#include <utility>

#include <netinet/in.h>

namespace ucxx::sim {
namespace {

constexpr std::uint64_t kOtherEnd = std::uint64_t{1}
                                    << 32;  // the id of a caller's end, beside that of its call

}  // namespace

FakeDoor::FakeDoor(World& world_, const door::Events& events_)
    : world(world_), events(events_), id(world_.doors->newId()) {
  world.doors->enter(*this);
}

FakeDoor::~FakeDoor() { world.doors->leave(*this); }

void Doors::post(std::uint64_t door, std::uint64_t stream, std::function<void(FakeDoor&)> read) {
  if (doors_.count(door) != 0 && dead_.count(door) == 0)
    mail_.push_back({door, stream, std::move(read)});
}

void Doors::leave(FakeDoor& door) noexcept {
  // Who has welcomed it, and was not heard any more, sees it hang up.
  for (const auto& [id, call] : door.calls) lose(id, UCS_ERR_CONNECTION_RESET);
  doors_.erase(door.id);
  std::erase_if(mail_, [&](const Mail& mail) { return mail.door == door.id; });
  std::erase_if(ports_, [&](const auto& port) { return port.second.door == door.id; });
  std::erase_if(names_, [&](const auto& name) { return name.second.door == door.id; });
}

bool Doors::hasMail(std::uint64_t door) const noexcept {
  return std::any_of(mail_.begin(), mail_.end(),
                     [&](const Mail& mail) { return mail.door == door; });
}

bool Doors::deliver(std::uint64_t door) {
  std::vector<std::size_t> first;  // of each stream
  std::vector<std::uint64_t> seen;
  for (std::size_t i = 0; i < mail_.size(); ++i) {
    if (mail_[i].door != door) continue;
    if (std::find(seen.begin(), seen.end(), mail_[i].stream) != seen.end()) continue;
    seen.push_back(mail_[i].stream);
    first.push_back(i);
  }
  if (first.empty()) return false;
  const std::size_t index = world_.random.pick(first);
  const Mail mail = std::move(mail_[index]);
  mail_.erase(mail_.begin() + static_cast<std::ptrdiff_t>(index));
  mail.read(*doors_[door]);
  return true;
}

door::SocketAddress Doors::listen(FakeDoor& door, door::SocketAddress address,
                                  std::uint64_t listener) {
  address.storage.ss_family = AF_INET;
  address.length = sizeof(sockaddr_in);
  reinterpret_cast<sockaddr_in&>(address.storage).sin_port = htons(next_port_);
  ports_[next_port_++] = {door.id, listener};
  return address;
}

door::SocketAddress Doors::listenLocally(FakeDoor& door, const base::Id128& name) {
  const door::SocketAddress address = door::unixAddress(name);
  names_[address.toString()] = {door.id, 0};
  return address;
}

const Doors::Listening* Doors::find(const door::SocketAddress& address) const {
  if (address.isUnix()) {
    const auto name = names_.find(address.toString());
    return name == names_.end() ? nullptr : &name->second;
  }
  const auto port = ports_.find(address.port());
  return port == ports_.end() ? nullptr : &port->second;
}

void Doors::stopListening(std::uint64_t door, std::uint64_t listener) noexcept {
  std::erase_if(ports_, [&](const auto& port) {
    return port.second.door == door && port.second.listener == listener;
  });
}

void Doors::call(FakeDoor& door, door::Call& call) {
  if (dead_.count(door.id) != 0) return;  // it times out
  for (const door::SocketAddress& address : call.addresses) {
    const Listening* to = find(address);
    if (to == nullptr) continue;
    if (dead_.count(to->door) != 0 && world_.random.chance(50)) return;  // it times out
    const Called called{to->listener, door.id, call.id, address.isUnix()};
    const auto descriptors = std::make_shared<door::Descriptors>(std::move(call.descriptors));
    return post(to->door, call.id, [this, called, hello = call.hello, descriptors](auto& impl) {
      onHello(impl, called, hello, std::move(*descriptors));
    });
  }
  failCall(door, call.id, UCS_ERR_UNREACHABLE);
}

void Doors::failCall(FakeDoor& door, std::uint64_t call, ucs_status_t status) {
  post(door.id, call, [call, status](FakeDoor& impl) {
    const auto found = impl.calls.find(call);
    if (found == impl.calls.end()) return;
    const auto ended = std::move(found->second);
    impl.calls.erase(found);
    impl.events.onCallEnded(impl.events.owner, *ended, status, nullptr);
  });
}

std::unique_ptr<door::Connection> Doors::connect(std::uint64_t door, std::uint64_t id,
                                                 std::uint64_t peer, bool is_local) {
  auto impl = std::make_unique<door::Connection::Impl>();
  impl->id = id;
  impl->peer = peer;
  impl->door = door;
  if (is_local) impl->local = impl->remote = door::unixAddress({});
  connections_[id] = impl.get();
  return std::make_unique<door::Connection>(std::move(impl));
}

void Doors::onHello(FakeDoor& door, const Called& called, const door::Hello& hello,
                    door::Descriptors descriptors) {
  const auto caller_door = doors_.find(called.caller);
  if (caller_door == doors_.end()) return;
  const auto listens = [&](const auto& one) {
    return one.second.door == door.id && one.second.listener == called.listener;
  };
  if (std::none_of(ports_.begin(), ports_.end(), listens) &&
      std::none_of(names_.begin(), names_.end(), listens))
    return failCall(*caller_door->second, called.call, UCS_ERR_CONNECTION_RESET);
  const door::SocketAddress from = called.is_local ? door::unixAddress({}) : door::SocketAddress();
  const auto answer =
      door.events.onHello(door.events.owner, called.listener, hello, std::move(descriptors), from);
  if (const auto* refused = std::get_if<door::Refused>(&answer)) {
    return post(called.caller, called.call,
                [call = called.call, refused = *refused](FakeDoor& impl) {
                  const auto found = impl.calls.find(call);
                  if (found == impl.calls.end()) return;
                  const auto ended = std::move(found->second);
                  impl.calls.erase(found);
                  impl.events.onCallEnded(impl.events.owner, *ended, UCS_ERR_REJECTED, &refused);
                });
  }
  auto accepted = connect(door.id, called.call, called.call + kOtherEnd, called.is_local);
  welcome(called, std::get<door::Welcome>(answer));
  door.events.onAccepted(door.events.owner, hello, std::move(accepted));
}

/// The caller may have hung up meanwhile, the other end may be gone.
void Doors::welcome(const Called& called, const door::Welcome& answer) {
  const auto descriptors = std::make_shared<door::Descriptors>();
  for (const int each : answer.descriptors) descriptors->push_back(base::duplicate(each));
  post(called.caller, called.call,
       [this, called, hello = answer.hello, descriptors](FakeDoor& impl) {
         const std::uint64_t accepted = called.call, own = called.call + kOtherEnd;
         const auto found = impl.calls.find(called.call);
         if (found == impl.calls.end()) return lose(accepted, UCS_ERR_CONNECTION_RESET);
         const auto welcomed = std::move(found->second);
         impl.calls.erase(found);
         auto connection = connect(called.caller, own, accepted, called.is_local);
         if (connections_.count(accepted) == 0) lose(own, UCS_ERR_CONNECTION_RESET);
         impl.events.onWelcome(impl.events.owner, *welcomed, hello, std::move(*descriptors),
                               std::move(connection));
       });
}

void Doors::lose(std::uint64_t connection, ucs_status_t status) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  post(found->second->door, connection, [this, connection, status](FakeDoor& impl) {
    const auto still = connections_.find(connection);
    if (still == connections_.end() || std::exchange(still->second->lost, true)) return;
    impl.events.onLost(impl.events.owner, *still->second->self, status);
  });
}

void Doors::forget(door::Connection::Impl& connection) {
  connections_.erase(connection.id);
  if (dead_.count(connection.door) == 0) lose(connection.peer, UCS_ERR_CONNECTION_RESET);
}

bool Doors::breakSome() {
  if (connections_.empty()) return false;
  auto chosen = connections_.begin();
  std::advance(chosen, world_.random.below(connections_.size()));
  const std::uint64_t peer = chosen->second->peer;
  lose(chosen->first, UCS_ERR_ENDPOINT_TIMEOUT);
  lose(peer, UCS_ERR_CONNECTION_RESET);
  return true;
}

void Doors::kill(std::uint64_t door) {
  for (const auto& [id, call] : doors_.at(door)->calls) lose(id, UCS_ERR_CONNECTION_RESET);
  std::erase_if(mail_, [&](const Mail& mail) { return mail.door == door; });
  std::vector<std::uint64_t> peers;
  for (const auto& [id, connection] : connections_) {
    if (connection->door == door) peers.push_back(connection->peer);
  }
  for (const std::uint64_t peer : peers) lose(peer, UCS_ERR_CONNECTION_RESET);
  dead_[door] = true;
}

door::Answer Doors::introduce(std::uint64_t door, const door::Hello& hello) {
  FakeDoor& impl = *doors_.at(door);
  auto answer = impl.events.onHello(impl.events.owner, 0, hello, {}, {});
  if (std::holds_alternative<door::Welcome>(answer))
    impl.events.onAccepted(impl.events.owner, hello, connect(door, newId(), 0, false));
  return answer;
}

}  // namespace ucxx::sim
