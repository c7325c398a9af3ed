// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/resources.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ucxx/buffer.h>

namespace ucxx::peers {
namespace {

std::size_t entriesOf(const char* directory) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(directory, error);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

std::size_t residentKib() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

/// Of one end of a TCP socket; of all others, nothing.
template <class Ask>
std::string portOf(int fd, Ask ask) {
  sockaddr_in name{};
  socklen_t size = sizeof name;
  if (ask(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0 || name.sin_family != AF_INET)
    return {};
  return fmt::format(" port {}", ntohs(name.sin_port));
}

/// Of a TCP socket; of all others 0.
int stateOf(int fd) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_state : 0;
}

/// Of this process; `each` is given number and path.
template <class Each>
void forDescriptors(Each each) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error))
    each(std::stoi(entry.path().filename().string()), entry.path());
}

}  // namespace

Resources Resources::now() {
  static const HostBuffer first(1 << 20);  // the library's memory has a descriptor, which stays
  Resources all{.threads = entriesOf("/proc/self/task"), .resident_kib = residentKib()};
  forDescriptors([&](int, const auto&) { ++all.descriptors; });
  return all;
}

std::string describeDescriptors() {
  std::string text;
  forDescriptors([&](int fd, const std::filesystem::path& path) {
    std::error_code error;
    text += fmt::format("{} {}{}", fd, read_symlink(path, error).string(),
                        portOf(fd, ::getsockname) + portOf(fd, ::getpeername));
    const int state = stateOf(fd);
    text += state == 0 ? "\n" : fmt::format(" state {}\n", state);
  });
  return text;
}

std::size_t sharedMemoryFiles() {
  std::error_code error;
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator("/dev/shm", error))
    count += file.path().filename().string().starts_with("ucx");
  return count;
}

}  // namespace ucxx::peers
