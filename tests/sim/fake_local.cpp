// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Instead of src/local/process.cpp and peer_memory.cpp: rings, boards and chunk words are the
// library's own, but the kernel copies between two workers or does not, as chance decides, and
// others go on, or are killed, in the middle of it.

#include <cstring>

#include "local/peer_memory.h"
#include "local/process.h"
#include "sim/world.h"

namespace ucxx::local {
namespace {

sim::Processes& processes() { return sim::World::current().processes; }

/// A copy that is refused may have been begun; so may one in whose middle a process is killed.
bool copy(pid_t peer, void* to, const void* from, std::size_t size) {
  sim::World& world = sim::World::current();
  const auto is_over = [&, self = processes().running()] {
    return processes().isDead(peer) || processes().isDead(self);
  };
  if (is_over()) return false;
  const std::size_t half = world.random.below(size + 1);
  std::memcpy(to, from, half);
  if (world.random.chance(world.manners.stall_percent)) world.meanwhile();
  if (is_over() || world.random.chance(world.manners.refusal_percent)) return false;
  std::memcpy(static_cast<std::byte*>(to) + half, static_cast<const std::byte*>(from) + half,
              size - half);
  return true;
}

}  // namespace

base::FileDescriptor openOwnPidfd() { return processes().openPidfd(); }

PeerProcess::PeerProcess(base::FileDescriptor pidfd)
    : pidfd_(std::move(pidfd)), pid_(processes().of(pidfd_)) {}
bool PeerProcess::isAlive() const noexcept { return !processes().isDead(pid_); }
bool PeerProcess::isThere(int) const noexcept { return isAlive(); }
bool PeerProcess::isAt(int) const noexcept { return true; }
bool PeerProcess::canRunBeside() const noexcept { return true; }

Proof::Proof() : bytes_{1, 2} {}
Proof::~Proof() {}

PeerMemory::PeerMemory(pid_t pid, std::uint64_t, const Proof::Bytes&) noexcept : pid_(pid) {
  const sim::World& world = sim::World::current();
  open_ = world.manners.copies;
}

PeerMemory::~PeerMemory() = default;

// What would be mapped is copied like the rest.
void PeerMemory::map(base::FileDescriptor, std::uint64_t, std::uint64_t) {}
std::byte* PeerMemory::mappedAt(std::uint64_t, std::size_t) const noexcept { return nullptr; }
const MemoryTable* PeerMemory::table() const noexcept { return nullptr; }

bool PeerMemory::read(void* to, std::uint64_t from, std::size_t size, std::size_t) noexcept {
  return copy(pid_, to, reinterpret_cast<const void*>(from), size);
}

bool PeerMemory::write(std::uint64_t to, const void* from, std::size_t size, std::size_t) noexcept {
  return copy(pid_, reinterpret_cast<void*>(to), from, size);
}

}  // namespace ucxx::local
