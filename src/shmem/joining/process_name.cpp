// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/process_name.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <sys/stat.h>

namespace ucxx::shmem {

std::uint64_t ownPidNamespace() noexcept {
  struct stat state {};
  return ::stat("/proc/self/ns/pid", &state) == 0 ? state.st_ino : 0;
}

// The name, in parentheses, may hold blanks; behind it the state is field 3, and the time field 22.
std::uint64_t startTimeOf(pid_t pid) noexcept try {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  return std::stoull(field);
} catch (...) {
  return 0;
}

}  // namespace ucxx::shmem
