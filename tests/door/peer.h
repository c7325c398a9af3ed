// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

#include "door/door.h"

namespace ucxx::door::test {

/// Another process of this very program that calls a door of the test and then keeps the
/// connection: a fresh one, because a process that was only forked from a user of the library must
/// not use it.
class Peer {
 public:
  enum class Role {
    Hold,    ///< stays until it is killed
    Fork,    ///< the same, and has forked a child that stays longer
    Share,   ///< as Hold, and has shared descriptors: see `kShared`
    Crowded  ///< calls itself while its user may send no more descriptors, and after
  };

  /// `door` is a Unix address or at `farLoopback`.
  Peer(Role role, const SocketAddress& door);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// Whether it says that it was welcomed (and has forked).
  bool isReady();
  pid_t process() const { return pid_; }
  void signal(int number) const;
  /// After SIGSTOP.
  void waitUntilStopped() const;
  bool childIsAlive() const;

 private:
  pid_t pid_ = -1;
  pid_t child_ = 0;
  int to_peer_ = -1;
  int from_peer_ = -1;
};

/// What the peer writes into the memory that it shares, the first of its two descriptors; it rings
/// the second, and the one that comes with the welcome.
inline constexpr std::string_view kShared = "written by the peer";

/// What the other process does at the door `where` (a port, or the name of a Unix socket); its exit
/// status.
int runPeer(const std::string& role, const std::string& where);

}  // namespace ucxx::door::test
