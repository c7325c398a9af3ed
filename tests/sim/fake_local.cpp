// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Instead of src/local/process.cpp and peer_memory.cpp: rings, boards and chunk words are the
// library's own, but the kernel copies between two workers or does not, as chance decides, and
// others go on, or are killed, in the middle of it. Library memory is mapped once more for each
// peer, or is not.

#include <cstring>
#include <set>
#include <utility>

#include "local/peer_memory.h"
#include "local/process.h"
#include "sim/world.h"

namespace ucxx::local {
namespace {

sim::Processes& processes() { return sim::World::current().processes; }

/// A copy that is refused may have been begun; so may one in whose middle a process is killed.
bool copy(pid_t peer, void* to, const void* from, std::size_t size, bool may_be_refused) {
  sim::World& world = sim::World::current();
  const auto is_over = [&, self = processes().running()] {
    return processes().isDead(peer) || processes().isDead(self);
  };
  if (is_over()) return false;
  const std::size_t half = world.random.below(size + 1);
  std::memcpy(to, from, half);
  if (world.random.chance(world.manners.stall_percent)) world.meanwhile();
  if (is_over()) return false;
  if (may_be_refused && world.random.chance(world.manners.refusal_percent)) return false;
  std::memcpy(static_cast<std::byte*>(to) + half, static_cast<const std::byte*>(from) + half,
              size - half);
  return true;
}

constexpr std::uint64_t kPageBytes = 4096;

/// The library memory of a peer, as this process has mapped it. What of it is used becomes a copy
/// when one of the two is killed: the killed one's code writes to nobody then, nor does the other
/// write to what the killed one's code gives back.
struct View final : base::SharedMemory {
  View(base::SharedMemory&& memory, pid_t peer_) noexcept
      : base::SharedMemory(std::move(memory)), peer(peer_) {}
  ~View() {
    sim::World* const world = sim::World::currentOrNull();
    for (void* const part : used)
      if (world != nullptr) world->processes.unmap(part);
  }
  void use(std::byte* begin, std::size_t size) {
    if (size == 0) return;  // of a plan without bytes
    const auto first = reinterpret_cast<std::uintptr_t>(begin) & ~(kPageBytes - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(begin) + size + kPageBytes - 1;
    processes().map(reinterpret_cast<void*>(first), (end & ~(kPageBytes - 1)) - first, peer);
    used.insert(reinterpret_cast<void*>(first));
  }

  const pid_t peer;
  std::set<void*> used;
};

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

void PeerMemory::map(base::FileDescriptor descriptor, std::uint64_t address, std::uint64_t size) {
  sim::World& world = sim::World::current();
  if (!world.random.chance(world.manners.mapped_percent)) return;
  mapped_ =
      std::make_shared<View>(base::SharedMemory::mapReserved(std::move(descriptor), size), pid_);
  mapped_address_ = address;
}

std::byte* PeerMemory::mappedAt(std::uint64_t address, std::size_t size) const noexcept {
  if (mapped_ == nullptr) return nullptr;
  const std::uint64_t offset = address - mapped_address_;
  const auto bytes = mapped_->bytes();
  if (offset >= bytes.size() || size > bytes.size() - offset) return nullptr;
  std::byte* const begin = bytes.data() + offset;
  const_cast<View&>(static_cast<const View&>(*mapped_)).use(begin, size);
  return begin;
}

const MemoryTable* PeerMemory::table() const noexcept {
  return mapped_ == nullptr ? nullptr
                            : reinterpret_cast<const MemoryTable*>(mapped_->bytes().data());
}

// What is mapped is copied like the rest.
bool PeerMemory::read(void* to, std::uint64_t from, std::size_t size, std::size_t) noexcept {
  return copy(pid_, to, reinterpret_cast<const void*>(from), size, !isMapped(from, size));
}

bool PeerMemory::write(std::uint64_t to, const void* from, std::size_t size, std::size_t) noexcept {
  return copy(pid_, reinterpret_cast<void*>(to), from, size, !isMapped(to, size));
}

}  // namespace ucxx::local
