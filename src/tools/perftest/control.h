// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include <nlohmann/json_fwd.hpp>

namespace ucxx::tools {

/// The other process ended, or said why it cannot go on.
class PeerGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

/// How the two processes agree on what comes next: lines of JSON over a socket of their own, so
/// that nothing but the measured messages goes through UCXX, and both can sleep in between.
class Control {
 public:
  explicit Control(Descriptor socket) : socket_(std::move(socket)) {}
  /// Both ends, for a process that is started.
  static std::pair<Control, Descriptor> pair();
  /// Throws `std::runtime_error` naming host, port and cause.
  static Control connect(const std::string& host, std::uint16_t port, std::chrono::seconds limit);

  int fd() const noexcept { return socket_.get(); }
  void send(const nlohmann::json& line);
  /// Throws `PeerGone` when the peer ended or reports an "error", `std::runtime_error` when the
  /// time is up.
  nlohmann::json receive(std::chrono::milliseconds limit);
  /// Never blocks. Throws `PeerGone` as `receive`, at a moment when no line is due.
  void look();

 private:
  bool hasLine() const noexcept { return received_.find('\n') != received_.npos; }
  bool fill(int flags);

  Descriptor socket_;
  std::string received_;
};

/// Where clients come.
class Acceptor {
 public:
  /// Throws `std::runtime_error` naming port and cause.
  explicit Acceptor(std::uint16_t port);
  Control accept();
  std::uint16_t port() const;  // the one that it got where it was given 0

 private:
  Descriptor socket_;
};

}  // namespace ucxx::tools
