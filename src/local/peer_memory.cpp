// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/peer_memory.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include <sys/uio.h>

#include <ucxx/exception.h>

#include "base/id128.h"
#include "base/log.h"
#include "base/status.h"
#include "local/arena.h"

namespace ucxx::local {
namespace {

/// Addresses of a process are 2^47 bytes: so many may go to the library memory of its peers.
constexpr std::size_t kMostMapped = std::size_t{1} << 45;
std::atomic<std::size_t> mapped_in_all{0};

}  // namespace

Proof::Proof() : bytes_{base::randomU64(), base::randomU64()} {}

// Nobody is to take what comes to lie here later for us.
Proof::~Proof() {
  for (std::uint64_t& word : bytes_) std::atomic_ref(word).store(0, std::memory_order_relaxed);
}

PeerMemory::PeerMemory(pid_t pid, std::uint64_t address, const Proof::Bytes& proof) noexcept
    : pid_(pid) {
  Proof::Bytes found{};
  open_ = pid > 0 && readByKernel(found.data(), address, sizeof found) && found == proof;
}

PeerMemory::~PeerMemory() { mapped_in_all.fetch_sub(mapped_.bytes().size()); }

void PeerMemory::map(base::FileDescriptor descriptor, std::uint64_t address, std::uint64_t size) {
  if (size == 0 || size > Arena::kMostBytes || address + size < address)
    base::throwStatus(UCS_ERR_INVALID_PARAM, "library memory of a peer: " + std::to_string(size) +
                                                 " bytes at " + std::to_string(address));
  if (!Arena::mayReserve()) return;
  if (mapped_in_all.fetch_add(size) + size > kMostMapped) {
    mapped_in_all.fetch_sub(size);
    base::log(LogLevel::Debug, "local", "no addresses left for the library memory of a peer");
    return;
  }
  try {
    mapped_ = base::SharedMemory::mapReserved(std::move(descriptor), size);
  } catch (const Error& error) {
    mapped_in_all.fetch_sub(size);
    if (error.status() == UCS_ERR_SHMEM_SEGMENT) throw;  // it is not what it should be
    base::log(LogLevel::Debug, "local", "no library memory of a peer: {}", error.what());
    return;
  }
  mapped_.closeDescriptor();
  mapped_address_ = address;
}

std::byte* PeerMemory::mappedAt(std::uint64_t address, std::size_t size) const noexcept {
  const std::uint64_t offset = address - mapped_address_;
  const auto bytes = mapped_.bytes();
  if (offset >= bytes.size() || size > bytes.size() - offset) return nullptr;
  return bytes.data() + offset;
}

bool PeerMemory::read(void* to, std::uint64_t from, std::size_t size) noexcept {
  if (const std::byte* mapped = mappedAt(from, size)) {
    std::memcpy(to, mapped, size);
    return true;
  }
  return open_ && readByKernel(to, from, size);
}

bool PeerMemory::readByKernel(void* to, std::uint64_t from, std::size_t size) noexcept {
  const iovec own{to, size};
  const iovec peers{reinterpret_cast<void*>(from), size};
  return check(::process_vm_readv(pid_, &own, 1, &peers, 1, 0), size);
}

bool PeerMemory::write(std::uint64_t to, const void* from, std::size_t size) noexcept {
  if (std::byte* mapped = mappedAt(to, size)) {
    std::memcpy(mapped, from, size);
    return true;
  }
  if (!open_) return false;
  const iovec own{const_cast<void*>(from), size};
  const iovec peers{reinterpret_cast<void*>(to), size};
  return check(::process_vm_writev(pid_, &own, 1, &peers, 1, 0), size);
}

bool PeerMemory::check(ssize_t copied, std::size_t size) noexcept {
  if (copied < 0 && (errno == EPERM || errno == ENOSYS)) open_ = false;  // for good
  return copied == static_cast<ssize_t>(size);
}

}  // namespace ucxx::local
