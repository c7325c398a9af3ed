// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/id128.h"
#include "door/door.h"
#include "sim/world.h"

namespace ucxx::door {

/// The simulated call.
class Call {
 public:
  std::uint64_t id = 0;
  std::vector<SocketAddress> addresses;
  Hello hello;
  Descriptors descriptors;
  void* context = nullptr;
  base::TimePoint deadline{};
};

struct Connection::Impl {
  std::uint64_t id = 0;
  std::uint64_t peer = 0;  ///< id of the other end; 0 while the caller has not been told
  std::uint64_t door = 0;
  Connection* self = nullptr;
  SocketAddress local, remote;
  bool lost = false;
};

}  // namespace ucxx::door

namespace ucxx::sim {

/// A door that is open.
struct FakeDoor {
  FakeDoor(World& world_, const door::Events& events_);
  ~FakeDoor();

  World& world;
  const door::Events events;
  const std::uint64_t id;
  door::Counters counters;
  std::map<std::uint64_t, std::unique_ptr<door::Call>> calls;
};

/// Where doors listen, and everything that is on its way between them. The order of one call and
/// of the connection that it becomes is kept, any other is not.
class Doors {
 public:
  explicit Doors(World& world) noexcept : world_(world) {}

  std::uint64_t newId() noexcept { return ++last_id_; }
  void enter(FakeDoor& door) { doors_[door.id] = &door; }
  void leave(FakeDoor& door) noexcept;
  /// Whether something waits for `door`.
  bool hasMail(std::uint64_t door) const noexcept;
  /// Hands over one thing; false when nothing is there.
  bool deliver(std::uint64_t door);

  door::SocketAddress listen(FakeDoor& door, door::SocketAddress address, std::uint64_t listener);
  door::SocketAddress listenLocally(FakeDoor& door, const base::Id128& name);
  void stopListening(std::uint64_t door, std::uint64_t listener) noexcept;
  void call(FakeDoor& door, door::Call& call);
  void failCall(FakeDoor& door, std::uint64_t call, ucs_status_t status);
  void forget(door::Connection::Impl& connection);
  /// The owner of a connection, if there is such a one, will hear that it is lost.
  void lose(std::uint64_t connection, ucs_status_t status);

  /// @name Faults
  /// @{
  /// Some connection breaks, at both ends; false when there is none.
  bool breakSome();
  /// Nothing leaves or reaches a door any more.
  void kill(std::uint64_t door);
  /// @}

  /// A stranger's hello, as the fuzzers introduce themselves: what the door answers.
  door::Answer introduce(std::uint64_t door, const door::Hello& hello);
  std::size_t connections() const noexcept { return connections_.size(); }
  std::uint64_t lastDoor() const noexcept { return doors_.empty() ? 0 : doors_.rbegin()->first; }

 private:
  struct Listening {
    std::uint64_t door = 0;
    std::uint64_t listener = 0;
  };
  struct Mail {
    std::uint64_t door = 0;
    std::uint64_t stream = 0;  // a call, and the connection that it becomes
    std::function<void(FakeDoor&)> read;
  };

  void post(std::uint64_t door, std::uint64_t stream, std::function<void(FakeDoor&)> read);
  /// A call on its way, and who made it.
  struct Called {
    std::uint64_t listener = 0;
    std::uint64_t caller = 0;
    std::uint64_t call = 0;
    bool is_local = false;
  };

  std::unique_ptr<door::Connection> connect(std::uint64_t door, std::uint64_t id,
                                            std::uint64_t peer, bool is_local);
  const Listening* find(const door::SocketAddress& address) const;
  void onHello(FakeDoor& door, const Called& called, const door::Hello& hello,
               door::Descriptors descriptors);
  void welcome(const Called& called, const door::Welcome& answer);

  World& world_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, FakeDoor*> doors_;
  std::map<std::uint64_t, bool> dead_;
  std::map<std::uint16_t, Listening> ports_;
  std::map<std::string, Listening> names_;  // of Unix sockets
  std::uint16_t next_port_ = 2000;
  std::vector<Mail> mail_;
  std::map<std::uint64_t, door::Connection::Impl*> connections_;
};

}  // namespace ucxx::sim
