// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "sim/processes.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/world.h"

// The linker leads the library here (--wrap).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): its names
extern "C" {
void* __real_mmap(void* address, std::size_t bytes, int rights, int flags, int file, off_t offset);
int __real_munmap(void* address, std::size_t bytes);

/// What a peer can write to as well; not the library's sparse memory, which is made without rights.
void* __wrap_mmap(void* address, std::size_t bytes, int rights, int flags, int file, off_t offset) {
  void* mapped = __real_mmap(address, bytes, rights, flags, file, offset);
  ucxx::sim::World* world = ucxx::sim::World::currentOrNull();
  const bool is_shared = (flags & MAP_SHARED) != 0 && (rights & PROT_WRITE) != 0;
  if (world != nullptr && is_shared && mapped != MAP_FAILED) world->processes.map(mapped, bytes);
  return mapped;
}

int __wrap_munmap(void* address, std::size_t bytes) {
  if (auto* world = ucxx::sim::World::currentOrNull()) world->processes.unmap(address);
  return __real_munmap(address, bytes);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace ucxx::sim {
namespace {

/// From now on a copy of what is there, of its own.
void makePrivate(void* address, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(address);
  const std::vector<std::byte> content(first, first + bytes);
  void* own = __real_mmap(address, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (own == MAP_FAILED) throw std::runtime_error("no memory for what a killed process has mapped");
  std::memcpy(own, content.data(), bytes);
}

}  // namespace

void Processes::map(void* address, std::size_t bytes, pid_t peer) {
  Mapping& mapping = mappings_[address];
  mapping = {running_, peer, std::max(bytes, mapping.peer == 0 ? 0 : mapping.bytes)};
  if (peer != 0 && (isDead(peer) || isDead(running_))) makePrivate(address, mapping.bytes);
}

void Processes::kill(pid_t pid) {
  dead_.insert(pid);
  for (const auto& [address, mapping] : mappings_) {
    if (mapping.pid == pid || mapping.peer == pid) makePrivate(address, mapping.bytes);
  }
  lives_.erase(pid);
}

/// The end of a pipe, which is readable when the other one has been closed.
base::FileDescriptor Processes::openPidfd() {
  int ends[2];
  struct stat state {};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0 || ::fstat(ends[0], &state) != 0)
    throw std::runtime_error("no descriptors for a simulated process");
  lives_.emplace(running_, base::FileDescriptor(ends[1]));
  pidfds_[state.st_ino] = running_;
  return base::FileDescriptor(ends[0]);
}

pid_t Processes::of(const base::FileDescriptor& pidfd) const {
  struct stat state {};
  if (::fstat(pidfd.get(), &state) != 0) return 0;
  const auto found = pidfds_.find(state.st_ino);
  return found == pidfds_.end() ? 0 : found->second;
}

}  // namespace ucxx::sim
