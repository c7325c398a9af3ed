// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/peer_memory.h"

#include <atomic>
#include <cerrno>

#include <sys/uio.h>

#include "base/id128.h"

namespace ucxx::local {

Proof::Proof() : bytes_{base::randomU64(), base::randomU64()} {}

// Nobody is to take what comes to lie here later for us.
Proof::~Proof() {
  for (std::uint64_t& word : bytes_) std::atomic_ref(word).store(0, std::memory_order_relaxed);
}

PeerMemory::PeerMemory(pid_t pid, std::uint64_t address, const Proof::Bytes& proof) noexcept
    : pid_(pid) {
  Proof::Bytes found{};
  open_ = pid > 0 && read(found.data(), address, sizeof found) && found == proof;
}

bool PeerMemory::read(void* to, std::uint64_t from, std::size_t size) noexcept {
  const iovec own{to, size};
  const iovec peers{reinterpret_cast<void*>(from), size};
  return check(::process_vm_readv(pid_, &own, 1, &peers, 1, 0), size);
}

bool PeerMemory::write(std::uint64_t to, const void* from, std::size_t size) noexcept {
  const iovec own{const_cast<void*>(from), size};
  const iovec peers{reinterpret_cast<void*>(to), size};
  return check(::process_vm_writev(pid_, &own, 1, &peers, 1, 0), size);
}

bool PeerMemory::check(ssize_t copied, std::size_t size) noexcept {
  if (copied < 0 && (errno == EPERM || errno == ENOSYS)) open_ = false;  // for good
  return copied == static_cast<ssize_t>(size);
}

}  // namespace ucxx::local
