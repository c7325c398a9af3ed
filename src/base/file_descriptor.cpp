// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/file_descriptor.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <ucs/type/status.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/system_error.h"

namespace ucxx::base {

constinit std::atomic<bool> forked_child{false};

namespace {

// One bit per descriptor, because the child may only use what is async-signal-safe: no lock, no
// memory. Descriptors are numbered from the bottom, so a process with a number beyond the table has
// a million others open; such a one is closed as usual, but a forked child keeps it.
constexpr std::size_t kListed = std::size_t{1} << 20;
constexpr std::size_t kWordBits = 64;

std::atomic<std::uint64_t> listed[kListed / kWordBits];
std::atomic<std::size_t> words_used{0};  // how many words of the table were ever touched
std::atomic<int> forks_waiting{0};
std::atomic<int> barriers{0};

// Inside a barrier there are only system calls that do not wait: a fork that finds one for so long
// interrupts it, as a signal handler. A barrier waits less, since the fork may wait, in the
// handlers of other libraries, for a lock that its thread holds.
constexpr auto kForksPatience = std::chrono::seconds(1);
constexpr auto kBarriersPatience = std::chrono::milliseconds(200);

std::uint64_t bitOf(std::size_t fd) { return std::uint64_t{1} << (fd % kWordBits); }

void list(int number) noexcept {
  const auto fd = static_cast<std::size_t>(number);
  if (fd >= kListed) return;
  const std::size_t word = fd / kWordBits;
  std::size_t used = words_used.load();
  while (used <= word && !words_used.compare_exchange_weak(used, word + 1)) {
  }
  listed[word].fetch_or(bitOf(fd));
}

void unlist(int number) noexcept {
  const auto fd = static_cast<std::size_t>(number);
  if (fd < kListed) listed[fd / kWordBits].fetch_and(~bitOf(fd));
}

template <class Condition>
void waitUpTo(Duration patience, Condition until) noexcept {
  const TimePoint end = Clock::now() + patience;
  while (!until() && Clock::now() < end) ::sched_yield();
}

void beforeFork() {
  forks_waiting.fetch_add(1);
  waitUpTo(kForksPatience, [] { return barriers.load() == 0; });
}

void afterForkInParent() { forks_waiting.fetch_sub(1); }

// close(2) alone: a shutdown would reach the peers, and an epoll_ctl the parent's epoll.
void closeWord(std::size_t word) {
  std::uint64_t bits = listed[word].exchange(0);
  for (std::size_t bit = 0; bits != 0; ++bit, bits >>= 1) {
    if ((bits & 1) != 0) ::close(static_cast<int>(word * kWordBits + bit));
  }
}

void afterForkInChild() {
  const int error = errno;
  for (std::size_t word = 0; word < words_used.load(); ++word) closeWord(word);
  forks_waiting.store(0);
  barriers.store(0);
  forked_child.store(true);
  errno = error;
}

}  // namespace

FileDescriptor::FileDescriptor(int fd) noexcept : fd_(fd) {
  if (fd_ < 0) return;
  installForkHandlers();
  list(fd_);
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void FileDescriptor::reset() noexcept {
  const int fd = std::exchange(fd_, -1);
  if (fd < 0 || isForkedChild()) return;
  const int error = errno;
  {
    const ForkBarrier barrier;
    unlist(fd);
    ::close(fd);  // Linux frees the number even on EINTR
  }
  errno = error;
}

FileDescriptor duplicate(int fd) {
  const ForkBarrier barrier;
  FileDescriptor copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy) throwErrno(errno, "duplicate a descriptor");
  return copy;
}

ForkBarrier::ForkBarrier() noexcept {
  barriers.fetch_add(1);
  if (forks_waiting.load() == 0) return;
  barriers.fetch_sub(1);
  waitUpTo(kBarriersPatience, [] { return forks_waiting.load() == 0; });
  barriers.fetch_add(1);
}

// A child that is forked inside a barrier starts again at zero, so it must not count down.
ForkBarrier::~ForkBarrier() {
  if (!isForkedChild()) barriers.fetch_sub(1);
}

// The lowest free number is taken first, so the free ones are found at once from the top.
std::size_t freeDescriptors(std::size_t enough) noexcept {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  std::size_t found = 0;
  for (auto fd = std::min<rlim_t>(limit.rlim_cur, INT_MAX); fd-- != 0 && found < enough;) {
    if (::fcntl(static_cast<int>(fd), F_GETFD) < 0) ++found;
  }
  return found;
}

void requireNotForked() {
  if (!isForkedChild()) return;
  throwStatus(UCS_ERR_UNSUPPORTED,
              "UCXX was used before fork(): the child cannot use it; spawn a new process instead");
}

void installForkHandlers() {
  static std::atomic<bool> installed{false};
  if (installed.load(std::memory_order_relaxed) || installed.exchange(true)) return;
  ::pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
}

}  // namespace ucxx::base
