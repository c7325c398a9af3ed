// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/launcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <ucs/type/status.h>
#include <unistd.h>

#include "base/status.h"
#include "base/system_error.h"
#include "door/descriptor_passing.h"
#include "shmem/joining/launch.h"
#include "shmem/joining/texts.h"
#include "shmem/joining/version.h"

namespace ucxx::shmem {
namespace {

struct Address {
  int socket = -1, pe = -1, pes = 0;
  bool isPossible() const noexcept {
    return socket > 2 && pes > 0 && pes <= kMostPes && pe >= 0 && pe < pes;
  }
};

/// "1:2:3"; nothing where it is something else.
std::optional<std::array<int, 3>> numbersOf(std::string_view text) noexcept {
  std::array<int, 3> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int& number : numbers) {
    if (&number != &numbers.front() && (at == end || *at++ != ':')) return std::nullopt;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    at = rest;
  }
  return at == end ? std::optional(numbers) : std::nullopt;
}

/// Not possible where the text is something else.
Address parse(std::string_view text) noexcept {
  const auto numbers = numbersOf(text);
  return numbers ? Address{(*numbers)[0], (*numbers)[1], (*numbers)[2]} : Address{};
}

bool isSocket(int descriptor) noexcept {
  struct stat state {};
  return ::fstat(descriptor, &state) == 0 && S_ISSOCK(state.st_mode);
}

Hello hello(std::size_t heap_bytes, std::size_t statics_bytes) noexcept {
  Hello result;
  copyText(result.version, kVersion);
  struct stat state {};
  if (::stat("/proc/self/exe", &state) == 0) {
    result.device = state.st_dev;
    result.inode = state.st_ino;
  }
  result.heap_bytes = heap_bytes;
  result.statics_bytes = statics_bytes;
  const ssize_t length =
      ::readlink("/proc/self/exe", result.executable, sizeof result.executable - 1);
  if (length < 0) result.executable[0] = '\0';
  return result;
}

template <class Message>
std::span<const std::byte> bytesOf(const Message& message) noexcept {
  return std::as_bytes(std::span(&message, 1));
}

void waitReadable(int socket) noexcept {
  pollfd wanted{socket, POLLIN, 0};
  while (::poll(&wanted, 1, -1) < 0 && errno == EINTR) {
  }
}

/// The two ends of a pipe that nobody writes to.
std::pair<base::FileDescriptor, base::FileDescriptor> makePipe() {
  const base::ForkBarrier barrier;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) base::throwErrno(errno, "pipe");
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

/// The kernel kills this process when `oshrun`, which alone holds the other end, has ended in
/// whatever way. PR_SET_PDEATHSIG would tell of the parent only, which may be a shell between the
/// two; the socket has events of messages as well, even of those that were just read.
void endWithLauncher(int life) noexcept {
  ::fcntl(life, F_SETSIG, SIGKILL);
  ::fcntl(life, F_SETOWN, ::getpid());
  ::fcntl(life, F_SETFL, O_ASYNC);
}

/// It may have ended before the kernel was asked.
bool hasEnded(int life) noexcept {
  pollfd end{life, POLLIN, 0};
  return ::poll(&end, 1, 0) > 0;
}

[[noreturn]] void failToMeet(const std::string& why) {
  base::throwStatus(UCS_ERR_UNREACHABLE, "oshrun: " + why);
}

}  // namespace

std::optional<Launcher> Launcher::take() {
  const char* const text = std::getenv(kLaunchVariable);
  if (text == nullptr) return std::nullopt;
  const std::string value = text;
  const Address address = parse(value);
  ::unsetenv(kLaunchVariable);
  if (!address.isPossible() || !isSocket(address.socket))
    failToMeet(fmt::format("{}={} names no socket of oshrun", kLaunchVariable, value));
  base::FileDescriptor socket(address.socket);
  if (::fcntl(socket.get(), F_SETFD, FD_CLOEXEC) != 0) base::throwErrno(errno, "fcntl");
  ::setenv(kTakenVariable, fmt::format("{}:{}:{}", ::getpid(), address.pe, address.pes).c_str(), 1);
  return Launcher(std::move(socket), address.pe, address.pes);
}

void Launcher::requireNotTaken() {
  const char* const text = std::getenv(kTakenVariable);
  if (text == nullptr) return;
  const auto numbers = numbersOf(text);
  if (!numbers) return;
  const auto [process, pe, pes] = *numbers;
  if (process != ::getpid() || pes == 1) return;
  failToMeet(fmt::format(
      "PE {} of {} has executed another program (exec) after it had begun to be a PE, and cannot "
      "be "
      "one again: set its environment by oshrun -x, or execute the program from one that does not "
      "link libucxx_shmem",
      pe, pes));
}

Launcher::Memory Launcher::meet(std::size_t heap_bytes, std::size_t statics_bytes) {
  const Hello said = hello(heap_bytes, statics_bytes);
  auto [life, given] = makePipe();
  const int passed = given.get();
  const ssize_t sent = door::sendWith(socket_.get(), bytesOf(said), std::span(&passed, 1));
  given.reset();
  if (sent != sizeof said) failToMeet("it has ended");
  waitReadable(socket_.get());
  Welcome welcome;
  std::vector<base::FileDescriptor> descriptors;
  const ssize_t got =
      door::receiveWith(socket_.get(), std::as_writable_bytes(std::span(&welcome, 1)), descriptors);
  if (got != sizeof welcome || welcome.message != LaunchMessage::Welcome)
    failToMeet("it has ended, or is another version");
  welcome.reason[sizeof welcome.reason - 1] = '\0';
  if (welcome.accepted == 0) failToMeet(welcome.reason);
  if (descriptors.size() != 1) failToMeet("it has handed out no memory");
  const auto expected = Layout::of(static_cast<std::size_t>(pes_), heap_bytes, statics_bytes);
  if (welcome.layout != expected) failToMeet("it lays the memory out in another way");
  endWithLauncher(life.get());
  if (hasEnded(life.get())) failToMeet("it has ended");
  life_ = std::move(life);
  return {base::SharedMemory::mapReserved(std::move(descriptors.front()), expected.bytes(),
                                          kSlotAlignment),
          expected};
}

void Launcher::tellExit(int status) const noexcept {
  const GlobalExit message{LaunchMessage::GlobalExit, status};
  (void)door::sendWith(socket_.get(), bytesOf(message), {});
}

}  // namespace ucxx::shmem
