// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace ucxx::base {

/// Owns one descriptor of the library. Every owned descriptor is listed process-wide, so that a
/// forked child can close them all: a child that kept a door's socket open would hide its parent's
/// death from the peers. Open them with the CLOEXEC flag, inside a `ForkBarrier`.
class FileDescriptor {
 public:
  FileDescriptor() noexcept = default;
  /// Takes over `fd`; -1 is empty.
  explicit FileDescriptor(int fd) noexcept;
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  /// Closes; does nothing in a forked child, where the number may belong to somebody else.
  void reset() noexcept;

 private:
  int fd_ = -1;
};

/// Another number for the same file; throws NO_RESOURCE when there is none.
FileDescriptor duplicate(int fd);

/// While one lives, a fork by another thread waits, and the other way round (not for ever, so that
/// no lock order of others can make it a deadlock). Put it around the opening of a descriptor and
/// the construction of its `FileDescriptor`: a fork in between would give the child a descriptor
/// that nobody lists. Not nested; `FileDescriptor::reset` has its own.
class ForkBarrier {
 public:
  ForkBarrier() noexcept;
  ~ForkBarrier();
  ForkBarrier(const ForkBarrier&) = delete;
  ForkBarrier& operator=(const ForkBarrier&) = delete;
};

/// How many descriptors the process may still open by its limit, counted up to `enough`. Opens
/// none: another thread that needs one meanwhile gets it.
std::size_t freeDescriptors(std::size_t enough) noexcept;

extern std::atomic<bool> forked_child;  // for isForkedChild alone
/// True in a process that was forked after the library had been used: its objects can only be
/// forgotten, and every call on them fails with a clear error.
inline bool isForkedChild() noexcept { return forked_child.load(std::memory_order_relaxed); }

/// Throws that error (UNSUPPORTED) in a forked child.
void requireNotForked();

/// Installs the fork handlers; called by whoever opens the first descriptor (idempotent).
void installForkHandlers();

}  // namespace ucxx::base
