// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/shared_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/status.h"
#include "base/system_error.h"

namespace ucxx::base {
namespace {

constexpr const char* kName = "ucxx";
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
// Linux 6.3: without it a hardened system refuses, with it an older kernel does.
constexpr unsigned kNoExecSeal = 8;

FileDescriptor openMemfd() {
  requireNotForked();
  const ForkBarrier barrier;
  FileDescriptor memfd(::memfd_create(kName, MFD_CLOEXEC | MFD_ALLOW_SEALING | kNoExecSeal));
  if (!memfd && errno == EINVAL)
    memfd = FileDescriptor(::memfd_create(kName, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memfd) throwErrno(errno, "memfd_create");
  return memfd;
}

bool allocate(int memfd, std::size_t offset, std::size_t bytes) noexcept {
  int result = 0;
  do {
    result = ::fallocate(memfd, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

/// Not beyond the limit on files: that would be a signal.
void size(int memfd, std::size_t bytes) {
  rlimit most{};
  if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && bytes > most.rlim_cur)
    throwErrno(EFBIG, "size shared memory of " + std::to_string(bytes) + " bytes (RLIMIT_FSIZE)");
  if (::ftruncate(memfd, static_cast<off_t>(bytes)) != 0)
    throwErrno(errno, "size shared memory of " + std::to_string(bytes) + " bytes");
}

void fill(int memfd, std::size_t bytes) {
  if (!allocate(memfd, 0, bytes))
    throwErrno(errno, "allocate " + std::to_string(bytes) + " bytes of shared memory");
}

void seal(int memfd) {
  if (::fcntl(memfd, F_ADD_SEALS, kSeals) != 0) throwErrno(errno, "seal shared memory");
}

/// Nobody else gets them, since they are mapped: with more around them at first, of which the rest
/// is given back.
void* alignedAddresses(std::size_t bytes, std::size_t alignment) {
  const std::size_t enough = bytes + alignment;
  void* const all =
      ::mmap(nullptr, enough, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    throwErrno(errno, "reserve " + std::to_string(enough) + " bytes of addresses");
  auto* const begin = static_cast<std::byte*>(all);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % alignment;
  if (before != 0) ::munmap(begin, before);
  ::munmap(begin + before + bytes, alignment - before);
  return begin + before;
}

[[noreturn]] void refuse(const std::string& why) {
  throwStatus(UCS_ERR_SHMEM_SEGMENT, "shared memory of a peer: " + why);
}

// Only what memfd_create made can have these seals: files of a tmpfs cannot be sealed. One of huge
// pages would be a signal where there are none left.
void requireSealed(int memfd) {
  const int seals = ::fcntl(memfd, F_GET_SEALS);
  if (seals < 0) refuse("the descriptor is not a memfd");
  if ((seals & kSeals) != kSeals) refuse("seals are missing: it has " + std::to_string(seals));
  struct statfs system {};
  if (::fstatfs(memfd, &system) != 0 || system.f_type != TMPFS_MAGIC)
    refuse("it is not of ordinary pages");
}

// After the seals: from then on the size is what it is.
void requireSize(int memfd, std::size_t bytes) {
  struct stat state {};
  if (::fstat(memfd, &state) != 0) throwErrno(errno, "fstat of a peer's shared memory");
  if (state.st_size != static_cast<off_t>(bytes))
    refuse("it has " + std::to_string(state.st_size) + " bytes, not " + std::to_string(bytes));
}

}  // namespace

SharedMemory SharedMemory::create(std::size_t bytes, std::size_t sparse) {
  FileDescriptor memfd = openMemfd();
  size(memfd.get(), bytes + sparse);
  fill(memfd.get(), bytes);
  seal(memfd.get());
  return mapPartly(std::move(memfd), bytes, sparse);
}

SharedMemory SharedMemory::map(FileDescriptor descriptor, std::size_t bytes, std::size_t sparse) {
  requireNotForked();
  requireSealed(descriptor.get());
  requireSize(descriptor.get(), bytes + sparse);
  // A hole in it would be a fault in the middle of a store, if memory is short then.
  if (!allocate(descriptor.get(), 0, bytes)) throwErrno(errno, "allocate a peer's shared memory");
  return mapPartly(std::move(descriptor), bytes, sparse);
}

SharedMemory SharedMemory::mapPartly(FileDescriptor memfd, std::size_t bytes, std::size_t sparse) {
  SharedMemory memory(std::move(memfd), bytes + sparse,
                      sparse == 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
  memory.advise(MADV_DONTFORK);
  if (sparse != 0) memory.open(bytes);
  return memory;
}

SharedMemory SharedMemory::reserve(std::size_t bytes, std::size_t alignment) {
  FileDescriptor memfd = openMemfd();
  size(memfd.get(), bytes);
  seal(memfd.get());
  SharedMemory memory(std::move(memfd), bytes, PROT_NONE, alignment);
  memory.open();
  return memory;
}

SharedMemory SharedMemory::mapReserved(FileDescriptor descriptor, std::size_t bytes,
                                       std::size_t alignment) {
  requireNotForked();
  requireSealed(descriptor.get());
  requireSize(descriptor.get(), bytes);
  SharedMemory memory(std::move(descriptor), bytes, PROT_NONE, alignment);
  memory.advise(MADV_DONTFORK);
  memory.open();
  return memory;
}

/// Sparse memory stays so: a core dump would give each hole a page, and so would mlockall, which
/// locks what is mapped with rights.
void SharedMemory::open(std::size_t sparse_begin) {
  const auto sparse = bytes_.subspan(sparse_begin);
  if (::madvise(sparse.data(), sparse.size(), MADV_DONTDUMP) != 0)
    throwErrno(errno, "advise on shared memory");
  (void)::munlock(sparse.data(), sparse.size());
  if (::mprotect(bytes_.data(), bytes_.size(), PROT_READ | PROT_WRITE) != 0)
    throwErrno(errno, "open shared memory");
}

// In steps: a signal undoes what a call has done so far, and one may come every millisecond.
bool SharedMemory::populate(std::size_t offset, std::size_t bytes) noexcept {
  constexpr std::size_t kStep = 1 << 20;
  for (std::size_t at = 0; at < bytes; at += kStep) {
    if (allocate(descriptor_.get(), offset + at, std::min(kStep, bytes - at))) continue;
    discard(offset, at);
    return false;
  }
  return true;
}

int SharedMemory::populateMapped(std::size_t offset, std::size_t bytes) noexcept {
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE
  return ::madvise(bytes_.data() + offset, bytes, kPopulateWrite) == 0 ? 0 : errno;
}

// Not by fallocate, of which UCX does not hear: it keeps the pages that it has registered.
void SharedMemory::discard(std::size_t offset, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  std::byte* const begin = bytes_.data() + offset;
  if (::madvise(begin, bytes, MADV_REMOVE) == 0) return;
  ::munlock(begin, bytes);  // mlockall of the program
  (void)::madvise(begin, bytes, MADV_REMOVE);
}

bool SharedMemory::isPopulated(std::size_t offset, std::size_t bytes) const noexcept {
  const off_t hole = ::lseek(descriptor_.get(), static_cast<off_t>(offset), SEEK_HOLE);
  return hole >= 0 && static_cast<std::size_t>(hole) >= offset + bytes;
}

void SharedMemory::letGo(std::size_t offset, std::size_t bytes) const noexcept {
  if (bytes != 0) (void)::madvise(bytes_.data() + offset, bytes, MADV_DONTNEED);
}

void SharedMemory::leaveToChildren() { advise(MADV_DOFORK); }

// Fails after a part that the child has not inherited, since somebody else has kept it back: what
// lies there would stay writable.
void SharedMemory::protectInChild() const noexcept {
  if (::mprotect(bytes_.data(), bytes_.size(), PROT_READ) != 0)
    ::munmap(bytes_.data(), bytes_.size());
}

SharedMemory::SharedMemory(FileDescriptor descriptor, std::size_t bytes, int rights,
                           std::size_t alignment)
    : descriptor_(std::move(descriptor)) {
  void* const wanted = alignment == 0 ? nullptr : alignedAddresses(bytes, alignment);
  const int fixed = wanted == nullptr ? 0 : MAP_FIXED;
  void* address =
      ::mmap(wanted, bytes, rights, MAP_SHARED | MAP_NORESERVE | fixed, descriptor_.get(), 0);
  if (address == MAP_FAILED)
    throwErrno(errno, "map shared memory of " + std::to_string(bytes) + " bytes");
  bytes_ = {static_cast<std::byte*>(address), bytes};
}

void SharedMemory::advise(int advice) {
  if (::madvise(bytes_.data(), bytes_.size(), advice) != 0)
    throwErrno(errno, "advise on shared memory");
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), bytes_(std::exchange(other.bytes_, {})) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  if (this == &other) return *this;
  unmap();
  descriptor_ = std::move(other.descriptor_);
  bytes_ = std::exchange(other.bytes_, {});
  return *this;
}

// In a forked child the address is free, or somebody else's.
void SharedMemory::unmap() noexcept {
  const auto bytes = std::exchange(bytes_, {});
  if (!bytes.empty() && !isForkedChild()) ::munmap(bytes.data(), bytes.size());
}

}  // namespace ucxx::base
