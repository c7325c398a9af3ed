// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/available_memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/machine_memory.h"
#include "base/system_error.h"

namespace ucxx::base {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kReservedPart = 16;
constexpr std::uint64_t kLeastReserve = std::uint64_t{256} << 20;

/// Empty: there is no such file, or it is none of this user's.
FileDescriptor openToRead(const std::string& path) {
  const ForkBarrier barrier;
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int error = errno;
  if (!file && error != ENOENT && error != ENOTDIR && error != EACCES && error != EPERM)
    throwErrno(error, "open " + path);
  return file;
}

/// Empty where there is none.
std::string contentsOf(const std::string& path) {
  const FileDescriptor file = openToRead(path);
  std::string text;
  std::array<char, 4096> room;
  ssize_t got = 0;
  while (file &&
         ((got = ::read(file.get(), room.data(), room.size())) > 0 || (got < 0 && errno == EINTR)))
    if (got > 0) text.append(room.data(), static_cast<std::size_t>(got));
  return text;
}

/// The number that a text begins with, after blanks.
std::optional<std::uint64_t> numberIn(std::string_view text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The number after a name at the begin of a line.
std::optional<std::uint64_t> numberAfter(std::string_view name, std::string_view text) noexcept {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return numberIn(text.substr(at + name.size()));
  }
  return std::nullopt;
}

std::uint64_t lessReserve(std::uint64_t left, std::uint64_t capacity) noexcept {
  const std::uint64_t reserve = std::max(capacity / kReservedPart, kLeastReserve);
  return left - std::min(left, reserve);
}

std::uint64_t leftOnMachine(const std::string& root) {
  constexpr std::uint64_t kKilo = 1024;
  const std::string info = contentsOf(root + "/proc/meminfo");
  const auto left = numberAfter("MemAvailable:", info);
  const auto total = numberAfter("MemTotal:", info);
  if (left && total) return lessReserve(*left * kKilo, *total * kKilo);
  const auto free_pages = static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES));
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return lessReserve(free_pages * page_bytes, machineMemory());
}

/// How a version of cgroups names what it tells.
struct CgroupFiles {
  const char *maximum, *used, *droppable;
};
constexpr CgroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file "};
constexpr CgroupFiles kVersion2{"memory.max", "memory.current", "inactive_file "};

std::uint64_t leftInCgroup(const std::string& folder, const CgroupFiles& files) {
  const auto maximum = numberIn(contentsOf(folder + '/' + files.maximum));
  const auto used = numberIn(contentsOf(folder + '/' + files.used));
  // Without a limit version 1 names more bytes than there are addresses, version 2 "max".
  if (!maximum || !used || *maximum > (kUnlimited >> 2)) return kUnlimited;
  const std::string stat = contentsOf(folder + "/memory.stat");
  const std::uint64_t droppable = numberAfter(files.droppable, stat).value_or(0);
  const std::uint64_t in_use = *used - std::min(*used, droppable);
  return lessReserve(*maximum - std::min(*maximum, in_use), *maximum);
}

/// What the cgroup at that path, and each above it, have left: the least. In a container the path
/// may be one that only the machine knows: what does not exist is passed over, and the root of the
/// mount counts.
std::uint64_t leftInCgroups(const std::string& mount, std::string path, const CgroupFiles& files) {
  std::uint64_t least = kUnlimited;
  for (;;) {
    while (!path.empty() && path.back() == '/') path.pop_back();
    least = std::min(least, leftInCgroup(mount + path, files));
    if (path.empty()) return least;
    path.resize(std::min(path.rfind('/'), path.size() - 1));
  }
}

/// `controllers` of a line of /proc/self/cgroup, which is NUMBER:CONTROLLERS:PATH.
bool hasMemory(std::string_view controllers) noexcept {
  while (!controllers.empty()) {
    const std::size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == "memory") return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

std::uint64_t leftByLine(const std::string& root, std::string_view line) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
  if (second == line.npos) return kUnlimited;
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  const std::string path(line.substr(second + 1));
  const std::string mount = root + "/sys/fs/cgroup";
  if (hasMemory(controllers)) return leftInCgroups(mount + "/memory", path, kVersion1);
  if (!controllers.empty()) return kUnlimited;
  return std::min(leftInCgroups(mount, path, kVersion2),
                  leftInCgroups(mount + "/unified", path, kVersion2));
}

std::uint64_t leftInAllCgroups(const std::string& root) {
  const std::string text = contentsOf(root + "/proc/self/cgroup");
  std::string_view rest = text;
  std::uint64_t least = kUnlimited;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    least = std::min(least, leftByLine(root, rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return least;
}

}  // namespace

std::uint64_t availableMemory(const std::string& root) {
  return std::min(leftOnMachine(root), leftInAllCgroups(root));
}

// Without memory or a descriptor for a look nothing may be taken.
std::uint64_t availableMemory() noexcept try {
  return availableMemory(std::string());
} catch (const std::exception&) {
  return 0;
}

}  // namespace ucxx::base
