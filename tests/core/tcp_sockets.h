// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace ucxx::core::test {

/// The TCP sockets of this process.
struct TcpSockets {
  std::size_t listening = 0;
  std::size_t others = 0;
};

/// "socket:[4711]" of each descriptor that is one.
inline std::set<std::string> ownSockets() {
  std::set<std::string> sockets;
  std::error_code gone;  // the one that reads the directory
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string file = std::filesystem::read_symlink(one, gone).string();
    if (file.starts_with("socket:")) sockets.insert(file);
  }
  return sockets;
}

inline TcpSockets tcpSockets() {
  constexpr std::size_t kState = 3, kInode = 9;  // columns
  const std::set<std::string> own = ownSockets();
  TcpSockets found;
  for (const char* table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
    std::ifstream file(table);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string state, inode;
      std::string word;
      for (std::size_t i = 0; words >> word; ++i) {
        if (i == kState) state = word;
        if (i == kInode) inode = word;
      }
      if (own.count("socket:[" + inode + "]") == 0) continue;
      ++(state == "0A" ? found.listening : found.others);
    }
  }
  return found;
}

}  // namespace ucxx::core::test
