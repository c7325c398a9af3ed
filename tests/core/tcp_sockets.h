// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <netinet/in.h>
#include <sys/socket.h>

namespace ucxx::core::test {

/// The TCP sockets of this process.
struct TcpSockets {
  std::size_t listening = 0;
  std::size_t others = 0;
};

/// -1: it is no socket.
inline int socketOption(int descriptor, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

/// Each descriptor is asked: /proc/net/tcp shows those of all processes, and some twice or not at
/// all when others come and go while it is read.
inline TcpSockets tcpSockets() {
  TcpSockets found;
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(one.path().filename().string());
    if (socketOption(descriptor, SO_PROTOCOL) != IPPROTO_TCP) continue;
    ++(socketOption(descriptor, SO_ACCEPTCONN) == 1 ? found.listening : found.others);
  }
  return found;
}

}  // namespace ucxx::core::test
