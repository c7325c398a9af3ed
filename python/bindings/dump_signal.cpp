// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "dump_signal.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "without_gil.h"
#include "workers.h"

namespace ucxx::python {
namespace {

/// All that the handler touches: what wakes the thread, or -1.
std::atomic<int> bell{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads it");

std::atomic<int> target{-1};  // where dumps go; -1: standard error
std::atomic<bool> has_ended{false}, is_dumping{false};
/// How long the end waits for a dump that is being written.
constexpr auto kPatience = std::chrono::milliseconds(500);

void onSignal(int) {
  const int error = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(bell, &one, sizeof one);
  errno = error;
}

void writeAll(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody to tell it to
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void dump() noexcept try {
  const int to = target;
  writeAll(to < 0 ? STDERR_FILENO : to, Workers::get().dump());
} catch (const std::exception&) {  // out of memory: a lost dump
}

void run(int own_bell) noexcept {
  std::uint64_t count = 0;
  for (;;) {
    const ssize_t got = ::read(own_bell, &count, sizeof count);
    if (got < 0 && errno != EINTR) return;
    is_dumping = true;
    if (!has_ended && got > 0) dump();
    is_dumping = false;
    if (has_ended) return;
  }
}

void startThread() {
  const int made = ::eventfd(0, EFD_CLOEXEC);
  if (made < 0) throw std::system_error(errno, std::generic_category(), "cannot make an eventfd");
  // Signals are the other threads'.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(run, made).detach();
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(made);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  bell = made;
}

bool isFree(const struct sigaction& action) {
  return action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN ||
         action.sa_handler == onSignal;
}

/// What a thread does to itself comes again when a handler returns.
constexpr std::array kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};

void checkSignal(int signal) {
  if (std::find(kFaults.begin(), kFaults.end(), signal) != kFaults.end())
    throw std::invalid_argument("signal " + std::to_string(signal) + " is that of a fault");
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0)
    throw std::invalid_argument("signal " + std::to_string(signal) + " cannot be handled");
  if (!isFree(now))
    throw std::runtime_error("signal " + std::to_string(signal) + " has a handler already");
}

/// One file stays open for all that follow: the thread may be writing to it.
void writeTo(int descriptor) {
  static int file = -1;
  if (descriptor >= 0 && file >= 0) {
    ::dup3(descriptor, file, O_CLOEXEC);
    ::close(descriptor);
  } else if (descriptor >= 0) {
    file = descriptor;
  }
  target = descriptor < 0 ? -1 : file;
}

}  // namespace

void dumpOnSignal(int signal, int descriptor) {
  checkSignal(signal);
  if (bell < 0) startThread();
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  if (::sigaction(signal, &action, nullptr) != 0)
    throw std::invalid_argument("signal " + std::to_string(signal) + " cannot be handled");
  writeTo(descriptor);
}

void endDumps() {
  if (bell < 0) return;
  has_ended = true;
  onSignal(0);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  const WithoutGil released;
  while (is_dumping && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void forgetDumpsInChild() noexcept {
  bell = target = -1;
  has_ended = false;
}

}  // namespace ucxx::python
