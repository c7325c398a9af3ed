// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include <sys/types.h>

#include "base/file_descriptor.h"

namespace ucxx::local::test {

/// Another process of this very program, in a role of `roles.cpp`, and a socket to it. A fresh one:
/// a process that was only forked must not use the library. Dies with the test.
class Peer {
 public:
  explicit Peer(std::string role);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int socket() const { return socket_.get(); }
  pid_t pid() const { return pid_; }
  void kill();
  /// Its exit status, or 128 + the signal that killed it.
  int wait();

 private:
  pid_t pid_ = -1;
  base::FileDescriptor socket_;
  bool ended_ = false;
};

/// One descriptor each; receiving has a deadline, after which it is empty.
void sendDescriptor(int socket, int descriptor);
base::FileDescriptor receiveDescriptor(int socket);

/// What the other process does with its socket; its exit status.
int runRole(const std::string& role, int socket);

/// Rounds of the litmus test: UCXX_LITMUS_ROUNDS, or as many as a test run has time for.
unsigned long litmusRounds();

}  // namespace ucxx::local::test
