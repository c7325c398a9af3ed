// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Instead of src/local/process.cpp, peer_memory.cpp and copy_speed.cpp: rings, boards and chunk
// words are the library's own, but the kernel copies between two workers or does not, as chance
// decides, and others go on in the middle of it.

#include <cstring>

#include <sys/eventfd.h>

#include "local/copy_speed.h"
#include "local/peer_memory.h"
#include "local/process.h"
#include "sim/world.h"

namespace ucxx::local {
namespace {

/// A copy that is refused may have been begun.
bool copy(void* to, const void* from, std::size_t size) {
  sim::World& world = sim::World::current();
  const std::size_t half = world.random.below(size + 1);
  std::memcpy(to, from, half);
  if (world.random.chance(world.manners.stall_percent)) world.meanwhile();
  if (world.random.chance(world.manners.refusal_percent)) return false;
  std::memcpy(static_cast<std::byte*>(to) + half, static_cast<const std::byte*>(from) + half,
              size - half);
  return true;
}

}  // namespace

/// Readable when it has ended, which no process does here.
base::FileDescriptor openOwnPidfd() {
  return base::FileDescriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
}

PeerProcess::PeerProcess(base::FileDescriptor pidfd) : pidfd_(std::move(pidfd)), pid_(1) {}
bool PeerProcess::isAlive() const noexcept { return true; }
bool PeerProcess::isThere(int) const noexcept { return true; }
bool PeerProcess::isAt(int) const noexcept { return true; }
bool PeerProcess::canRunBeside() const noexcept { return true; }

Proof::Proof() : bytes_{1, 2} {}
Proof::~Proof() = default;

PeerMemory::PeerMemory(pid_t pid, std::uint64_t, const Proof::Bytes&) noexcept : pid_(pid) {
  const sim::World& world = sim::World::current();
  open_ = world.manners.copies;
}

PeerMemory::~PeerMemory() = default;

// What would be mapped is copied like the rest.
void PeerMemory::map(base::FileDescriptor, std::uint64_t, std::uint64_t) {}
std::byte* PeerMemory::mappedAt(std::uint64_t, std::size_t) const noexcept { return nullptr; }

bool PeerMemory::read(void* to, std::uint64_t from, std::size_t size) noexcept {
  return copy(to, reinterpret_cast<const void*>(from), size);
}

bool PeerMemory::write(std::uint64_t to, const void* from, std::size_t size) noexcept {
  return copy(reinterpret_cast<void*>(to), from, size);
}

const CopySpeed& kernelCopySpeed() noexcept {
  static const CopySpeed speed{1e9, true};
  return speed;
}

}  // namespace ucxx::local
