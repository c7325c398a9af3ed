// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdio>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shmem/check.h"

// Processes that a PE starts: how they end, and the program itself once more.

extern char** environ;

namespace ucxx::test {

inline void checkEndsWell(int status) {
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
}

inline int statusOf(pid_t pid) {
  int status = 0;
  CHECK_EQ(::waitpid(pid, &status, 0), pid);
  return status;
}

inline std::string ownPath() {
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  CHECK(length > 0);
  return {path, static_cast<std::size_t>(length)};
}

/// Of a shell's command. No other thread's child inherits the pipe.
inline std::string outputOf(const std::string& command) {
  FILE* const pipe = ::popen(command.c_str(), "re");
  CHECK(pipe != nullptr);
  std::string output;
  for (int character; (character = std::fgetc(pipe)) != EOF;)
    output += static_cast<char>(character);
  CHECK_EQ(::pclose(pipe), 0);
  return output;
}

/// The status of a program that is started by posix_spawn with the argument `alone`.
inline int spawned(const std::string& path) {
  std::string argument = "alone";
  char* arguments[] = {const_cast<char*>(path.c_str()), argument.data(), nullptr};
  pid_t pid = 0;
  CHECK_EQ(::posix_spawn(&pid, path.c_str(), nullptr, nullptr, arguments, environ), 0);
  return statusOf(pid);
}

}  // namespace ucxx::test
