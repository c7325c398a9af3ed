// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/machine_id.h"

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace ucxx::door {
namespace {

std::string_view readFile(const char* path, std::array<char, 64>& buffer) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  ssize_t got = 0;
  do {
    got = ::read(file, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  ::close(file);
  return got > 0 ? std::string_view(buffer.data(), static_cast<std::size_t>(got))
                 : std::string_view{};
}

unsigned hexValue(char digit) {
  return static_cast<unsigned>(std::isdigit(static_cast<unsigned char>(digit))
                                   ? digit - '0'
                                   : std::tolower(static_cast<unsigned char>(digit)) - 'a' + 10);
}

base::Id128 parse(std::string_view text) {
  base::Id128 id;
  for (const char digit : text) {
    if (!std::isxdigit(static_cast<unsigned char>(digit))) continue;  // the dashes of a UUID
    id.high = id.high << 4 | id.low >> 60;
    id.low = id.low << 4 | hexValue(digit);
  }
  return id;
}

}  // namespace

// The boot id before the machine's: it tells a machine from its copy that was started elsewhere,
// and containers share it while each has its own /etc.
base::Id128 machineId() {
  std::array<char, 64> buffer;
  const base::Id128 boot = parse(readFile("/proc/sys/kernel/random/boot_id", buffer));
  return boot ? boot : parse(readFile("/etc/machine-id", buffer));
}

}  // namespace ucxx::door
