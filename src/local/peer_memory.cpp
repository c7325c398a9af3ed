// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/peer_memory.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include <sys/uio.h>

#include <ucxx/exception.h>

#include "base/copying.h"
#include "base/id128.h"
#include "base/log.h"
#include "base/status.h"
#include "local/arena.h"
#include "local/bulk_copy.h"
#include "local/choices.h"

namespace ucxx::local {
namespace {

/// Addresses of a process are 2^47 bytes: so many may go to the library memory of its peers.
constexpr std::size_t kMostMapped = std::size_t{1} << 45;
constexpr std::size_t kPageBytes = 4096;
std::atomic<std::size_t> mapped_in_all{0};
std::atomic<std::size_t> mapped_peers{0};

/// What this process touches of its peers' memory: of all together 128 MiB, but of each 16. To copy
/// to pages that are touched anew takes twice as long. Messages of 64 MiB, four in flight: 14 GB/s
/// with 256 and 128 MiB, 8 with 64.
std::size_t mostTouchedParts() noexcept {
  constexpr std::size_t kLeastParts = 16;
  const std::size_t peers = std::max<std::size_t>(mapped_peers.load(std::memory_order_relaxed), 1);
  return std::max(Touched::kMostParts / peers, kLeastParts);
}

void copyMapped(std::byte* to, const std::byte* from, std::size_t size,
                std::size_t whole) noexcept {
  if (whole >= choices::kLeastStreamedCopy && isStreamingFaster())
    copyStreaming(to, from, size);
  else
    std::memcpy(to, from, size);
}

struct TakenAddresses {
  explicit TakenAddresses(std::size_t size_) noexcept : size(size_) {
    mapped_in_all.fetch_add(size);
    mapped_peers.fetch_add(1);
  }
  TakenAddresses(const TakenAddresses&) = delete;
  TakenAddresses& operator=(const TakenAddresses&) = delete;
  ~TakenAddresses() {
    mapped_in_all.fetch_sub(size);
    mapped_peers.fetch_sub(1);
  }

  const std::size_t size;
  base::SharedMemory memory;
};

}  // namespace

Proof::Proof() : bytes_{base::randomU64(), base::randomU64()} {}

// Nobody is to take what comes to lie here later for this process.
Proof::~Proof() {
  for (std::uint64_t& word : bytes_) std::atomic_ref(word).store(0, std::memory_order_relaxed);
}

PeerMemory::PeerMemory(pid_t pid, std::uint64_t address, const Proof::Bytes& proof) noexcept
    : pid_(pid) {
  Proof::Bytes found{};
  open_ = pid > 0 && readByKernel(found.data(), address, sizeof found) && found == proof;
}

PeerMemory::~PeerMemory() = default;

void PeerMemory::map(base::FileDescriptor descriptor, std::uint64_t address, std::uint64_t size) {
  if (size < MemoryTable::kBytes || size > Arena::kMostBytes || address % kPageBytes != 0 ||
      address + size < address)
    base::throwStatus(UCS_ERR_INVALID_PARAM, "library memory of a peer: " + std::to_string(size) +
                                                 " bytes at " + std::to_string(address));
  if (!Arena::mayReserve()) return;
  const auto addresses = std::make_shared<TakenAddresses>(size);
  if (mapped_in_all.load(std::memory_order_relaxed) > kMostMapped) {
    base::log(LogLevel::Debug, "local", "no addresses left for the library memory of a peer");
    return;
  }
  try {
    addresses->memory = base::SharedMemory::mapReserved(std::move(descriptor), size);
  } catch (const Error& error) {
    if (error.status() == UCS_ERR_SHMEM_SEGMENT) throw;  // it is not what it should be
    base::log(LogLevel::Debug, "local", "no library memory of a peer: {}", error.what());
    return;
  }
  addresses->memory.closeDescriptor();
  touched_ = std::make_unique<Touched>(addresses->memory);
  mapped_ = std::shared_ptr<const base::SharedMemory>(addresses, &addresses->memory);
  mapped_address_ = address;
}

const MemoryTable* PeerMemory::table() const noexcept {
  return mapped_ == nullptr ? nullptr
                            : reinterpret_cast<const MemoryTable*>(mapped_->bytes().data());
}

std::byte* PeerMemory::mappedAt(std::uint64_t address, std::size_t size) const noexcept {
  if (mapped_ == nullptr) return nullptr;
  const std::uint64_t offset = address - mapped_address_;
  const auto bytes = mapped_->bytes();
  if (offset >= bytes.size() || size > bytes.size() - offset) return nullptr;
  return bytes.data() + offset;
}

std::byte* PeerMemory::touch(std::uint64_t address, std::size_t size, bool is_written) noexcept {
  std::byte* const mapped = mappedAt(address, size);
  if (mapped != nullptr)
    touched_->touch(address - mapped_address_, size, is_written, mostTouchedParts());
  return mapped;
}

bool PeerMemory::read(void* to, std::uint64_t from, std::size_t size, std::size_t whole) noexcept {
  base::aboutToCopy(size);
  if (const std::byte* mapped = touch(from, size, false)) {
    copyMapped(static_cast<std::byte*>(to), mapped, size, whole);
    return true;
  }
  return open_ && readByKernel(to, from, size);
}

bool PeerMemory::readByKernel(void* to, std::uint64_t from, std::size_t size) noexcept {
  const iovec own{to, size};
  const iovec peers{reinterpret_cast<void*>(from), size};
  return check(::process_vm_readv(pid_, &own, 1, &peers, 1, 0), size);
}

bool PeerMemory::write(std::uint64_t to, const void* from, std::size_t size,
                       std::size_t whole) noexcept {
  base::aboutToCopy(size);
  if (std::byte* mapped = touch(to, size, true)) {
    copyMapped(mapped, static_cast<const std::byte*>(from), size, whole);
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
