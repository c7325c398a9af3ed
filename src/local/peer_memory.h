// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <sys/types.h>

#include "base/shared_memory.h"
#include "local/memory_table.h"
#include "local/touched.h"

namespace ucxx::local {

/// What a process shows in its own memory, so that a peer can prove to itself that it reads the
/// memory of that very process: a pid may mean another one there.
class Proof {
 public:
  using Bytes = std::array<std::uint64_t, 2>;

  Proof();
  ~Proof();
  Proof(const Proof&) = delete;
  Proof& operator=(const Proof&) = delete;

  const Bytes& bytes() const noexcept { return bytes_; }
  std::uint64_t address() const noexcept { return reinterpret_cast<std::uintptr_t>(&bytes_); }

 private:
  Bytes bytes_;
};

/// Copies between the memory of this process and a peer's, without the peer's help: by plain loads
/// and stores where the peer's library memory is mapped, elsewhere in one system call (Linux's
/// cross-memory attach), which is refused between users, by seccomp, Yama and most container
/// runtimes.
class PeerMemory {
 public:
  /// Tries the system call: `proof` must lie at `address` of process `pid`.
  PeerMemory(pid_t pid, std::uint64_t address, const Proof::Bytes& proof) noexcept;
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  /// The peer's library memory, `size` bytes that it has at `address`. Throws what is wrong with
  /// it. Without room for its addresses it is not mapped.
  void map(base::FileDescriptor descriptor, std::uint64_t address, std::uint64_t size);

  /// Whether system calls have worked so far. Not: the kernel has refused one, or will.
  bool isOpen() const noexcept { return open_; }
  /// No system calls from now on.
  void close() noexcept { open_ = false; }
  bool isMapped(std::uint64_t address, std::size_t size) const noexcept {
    return mappedAt(address, size) != nullptr;
  }
  /// Where that is mapped in this process; null: not mapped. Valid as long as `mapping`.
  std::byte* mappedAt(std::uint64_t address, std::size_t size) const noexcept;
  /// What the peer lets this process reach; null: its library memory is not mapped. Valid as long
  /// as `mapping`.
  const MemoryTable* table() const noexcept;
  std::shared_ptr<const base::SharedMemory> mapping() const noexcept { return mapped_; }
  bool canReach(std::uint64_t address, std::size_t size) const noexcept {
    return open_ || isMapped(address, size);
  }
  /// True: all `size` bytes were copied, a part of a payload of `whole` bytes. From, and to,
  /// whatever process has that pid now.
  bool read(void* to, std::uint64_t from, std::size_t size, std::size_t whole) noexcept;
  bool write(std::uint64_t to, const void* from, std::size_t size, std::size_t whole) noexcept;

  /// Its pages that were copied from or to here count as memory of this process, too, until they
  /// are let go: so many of them at most, and all of them at the second of two calls without a copy
  /// in between. True: there are still some.
  bool keepTouchedIfUsed() noexcept { return touched_ != nullptr && touched_->keepIfUsed(); }
  bool hasTouched() const noexcept { return touched_ != nullptr && !touched_->empty(); }

 private:
  std::byte* touch(std::uint64_t address, std::size_t size, bool is_written) noexcept;
  bool readByKernel(void* to, std::uint64_t from, std::size_t size) noexcept;
  bool check(ssize_t copied, std::size_t size) noexcept;

  pid_t pid_;
  bool open_ = false;
  std::uint64_t mapped_address_ = 0;                  // in the peer
  std::shared_ptr<const base::SharedMemory> mapped_;  // of its library memory; may be null
  std::unique_ptr<Touched> touched_;                  // of that
};

}  // namespace ucxx::local
