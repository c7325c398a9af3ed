// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/poller.h"
#include "door/door.h"

namespace ucxx::door::test {

using namespace std::chrono_literals;

inline constexpr auto kSoon = 20s;  // the deadline of every wait: generous, for sanitizers

SocketAddress loopback4(std::uint16_t port = 0);
/// Who calls this one comes from 127.0.0.1: for the door, that is another machine.
SocketAddress farLoopback(std::uint16_t port = 0);
SocketAddress loopback6(std::uint16_t port = 0);
bool hasIpv6();

/// Over what the two ends of a test meet.
enum class Family { Tcp, Unix };
inline const auto kBothFamilies = testing::Values(Family::Tcp, Family::Unix);
std::string nameOf(const testing::TestParamInfo<Family>& info);
/// Where nobody listens yet: a free port of loopback, or a new name.
SocketAddress freshAddress(Family family);

/// How many descriptors this process has open.
std::ptrdiff_t countOpenDescriptors();

/// A hello that a door accepts.
Hello makeHello(std::uint64_t name = 1);
std::vector<std::byte> helloBytes();  ///< the frame of `makeHello()`

SharedSecret secretOf(std::string_view text);
inline const SharedSecret kSecret = secretOf("what the friends know");
inline const SharedSecret kOtherSecret = secretOf("what the others know");

/// The owner of a door, who writes down what it is told. Answers with `answer` unless `decide` is
/// set.
struct Owner {
  explicit Owner(base::Poller& poller, const Limits& limits = {}, SharedSecret secret = nullptr);

  using Answer = std::variant<Hello, Refused>;
  struct Ended {
    ucs_status_t status;
    std::optional<Refused> refused;
  };
  struct Lost {
    Connection* connection;
    ucs_status_t status;
  };

  std::function<Answer(std::uint64_t listener, const Hello&)> decide;
  std::function<void(Connection&)> on_connection;  // accepted or welcomed, already in `connections`
  std::function<void(Connection&)> on_lost;
  std::function<void(Call&)> on_call_over;
  Hello answer = makeHello(2);

  std::vector<int> enclosed;  // in each welcome

  std::vector<Hello> asked;
  std::vector<Hello> accepted;
  std::vector<Hello> welcomes;
  std::vector<Descriptors> asked_with;
  std::vector<Descriptors> welcomed_with;
  std::vector<Ended> ended;
  std::vector<Lost> lost;
  std::vector<std::unique_ptr<Connection>> connections;
  std::optional<Door> door;

  SocketAddress listen(std::uint64_t listener = 7) { return door->listen(loopback4(), listener); }
  SocketAddress listen(Family family, std::uint64_t listener = 7);
  Call& call(const SocketAddress& to, std::chrono::milliseconds timeout = 10s,
             Descriptors descriptors = {}) {
    return door->call({to}, makeHello(), std::move(descriptors), this, timeout);
  }
  /// Destroys one of `connections`.
  void drop(const Connection& connection);
  std::size_t events() const { return accepted.size() + welcomes.size() + ended.size(); }
};

/// One loop for many doors.
struct World {
  base::Poller poller;
  std::vector<std::unique_ptr<Owner>> owners;

  Owner& add(const Limits& limits = {}, SharedSecret secret = nullptr);
  /// One round; sleeps up to `longest` when nothing happens.
  void turn(std::chrono::milliseconds longest);
  /// Runs the loop until `done`; false at the deadline.
  bool runUntil(const std::function<bool()>& done, std::chrono::milliseconds deadline = kSoon);
  /// Runs the loop for a time in which something must not happen.
  void runFor(std::chrono::milliseconds time);
};

/// A socket that is no door: for strangers and for slow, broken or silent peers.
class Raw {
 public:
  Raw() = default;
  explicit Raw(int fd) : fd_(fd) {}
  Raw(Raw&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Raw& operator=(Raw&& other) noexcept;
  ~Raw() { close(); }

  static Raw connectTo(const SocketAddress& to);
  static Raw listenOn(const SocketAddress& at, int backlog);
  Raw accept() const;

  int fd() const { return fd_; }
  SocketAddress address() const;
  void close();
  bool send(std::span<const std::byte> bytes) const;
  bool send(const std::string& text) const;
  /// With descriptors at the first of `bytes`.
  bool sendWith(std::span<const std::byte> bytes, const std::vector<int>& descriptors) const;
  /// Appends what is there to `received`; false once the peer has hung up.
  bool receive();
  /// Lets the kernel drop every packet that comes in: as silent as a machine without power.
  void goDeaf() const;

  std::vector<std::byte> received;
  bool hung_up = false;

 private:
  int fd_ = -1;
};

}  // namespace ucxx::door::test
