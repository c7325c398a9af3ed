// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/bring.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <ucs/type/status.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/id128.h"
#include "base/status.h"
#include "base/system_error.h"
#include "door/descriptor_passing.h"
#include "door/machine_id.h"
#include "shmem/control.h"
#include "shmem/launch.h"
#include "shmem/process_name.h"
#include "shmem/segment.h"
#include "shmem/texts.h"
#include "shmem/version.h"

namespace ucxx::shmem {
namespace {

/// For a process that is alive and gets a processor this is long.
constexpr auto kPatience = std::chrono::seconds(60);

/// Who and where a process is. Compared byte by byte between PEs of one version of the library.
struct Card {
  std::uint32_t protocol = kLaunchProtocol;
  std::uint32_t user = 0;
  char version[32] = {};
  std::uint64_t machine[2] = {};
  std::uint64_t network = 0;  ///< the namespace: Unix sockets with abstract names are of one
  std::uint64_t pids = 0;     ///< the namespace: the PEs watch each other by their numbers
  std::uint64_t heap_bytes = 0;
  std::uint64_t socket[2] = {};  ///< of rank 0: its random name
  char error[256] = {};          ///< why this process cannot go on
};

/// What came of it.
struct Result {
  char error[256] = {};
};

[[noreturn]] void refuse(const std::string& why) { base::throwStatus(UCS_ERR_UNREACHABLE, why); }

std::uint64_t networkNamespace() noexcept {
  struct stat state {};
  return ::stat("/proc/self/ns/net", &state) == 0 ? state.st_ino : 0;
}

Card ownCard(std::size_t heap_bytes) noexcept {
  Card card;
  card.user = ::geteuid();
  copyText(card.version, kVersion);
  const base::Id128 machine = door::machineId();
  card.machine[0] = machine.high;
  card.machine[1] = machine.low;
  card.network = networkNamespace();
  card.pids = ownPidNamespace();
  card.heap_bytes = heap_bytes;
  return card;
}

template <class T>
std::vector<T> gather(const OwnExchange& exchange, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(exchange.size));
  const int status = exchange.allgather(&mine, all.data(), sizeof mine, exchange.context);
  if (status != 0) refuse(fmt::format("the allgather of the program has failed with {}", status));
  for (T& one : all) one.error[sizeof one.error - 1] = '\0';
  return all;
}

/// What of a card does not fit that of rank 0; null: nothing.
const char* mismatch(const Card& card, const Card& first) noexcept {
  if (card.protocol != first.protocol ||
      std::memcmp(card.version, first.version, sizeof card.version) != 0)
    return "has another version of libucxx_shmem";
  if (card.machine[0] != first.machine[0] || card.machine[1] != first.machine[1])
    return "is on another machine";
  if (card.network != first.network) return "is in another network namespace";
  if (card.pids != first.pids) return "is in another namespace of processes";
  if (card.user != first.user) return "is of another user";
  if (card.heap_bytes != first.heap_bytes) return "has another SHMEM_SYMMETRIC_SIZE";
  return nullptr;
}

void requireFitting(const std::vector<Card>& cards) {
  for (std::size_t rank = 0; rank < cards.size(); ++rank) {
    if (cards[rank].error[0] != '\0') refuse(fmt::format("PE {}: {}", rank, cards[rank].error));
    const char* const what = mismatch(cards[rank], cards[0]);
    if (what != nullptr) refuse(fmt::format("PE {} {} than PE 0", rank, what));
  }
}

struct Name {
  sockaddr_un address{};
  socklen_t length = 0;
};

/// An abstract name: no file is left.
Name nameOf(const std::uint64_t (&id)[2]) {
  Name name;
  name.address.sun_family = AF_UNIX;
  const std::string text = fmt::format("ucxx-shmem-{:016x}{:016x}", id[0], id[1]);
  std::copy(text.begin(), text.end(), name.address.sun_path + 1);
  name.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  return name;
}

base::FileDescriptor openSocket() {
  const base::ForkBarrier barrier;
  base::FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) base::throwErrno(errno, "socket");
  return socket;
}

const sockaddr* addressOf(const Name& name) noexcept {
  return reinterpret_cast<const sockaddr*>(&name.address);
}

base::FileDescriptor listenAt(const Name& name, int peers) {
  base::FileDescriptor socket = openSocket();
  if (::bind(socket.get(), addressOf(name), name.length) != 0 || ::listen(socket.get(), peers) != 0)
    base::throwErrno(errno, "listen at a Unix socket");
  return socket;
}

bool isReadable(int socket, base::TimePoint end) {
  pollfd wanted{socket, POLLIN, 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - base::Clock::now()).count();
  const int ready = ::poll(&wanted, 1, static_cast<int>(std::max<long>(left, 0)));
  if (ready < 0 && errno != EINTR) base::throwErrno(errno, "poll");
  return ready > 0;
}

bool isOwnUser(int socket) noexcept {
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
         peer.uid == ::geteuid();
}

/// Strangers are hung up on.
void handOut(int listening, int memory, int peers) {
  const base::TimePoint end = base::deadlineAfter(kPatience);
  const std::array<std::byte, 1> byte{};
  for (int served = 0; served < peers;) {
    if (base::Clock::now() >= end)
      refuse(fmt::format("{} PEs have not come for the memory", peers - served));
    if (!isReadable(listening, end)) continue;
    const base::ForkBarrier barrier;
    const base::FileDescriptor peer(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC));
    if (peer && isOwnUser(peer.get()) && door::sendWith(peer.get(), byte, {&memory, 1}) == 1)
      ++served;
  }
}

base::FileDescriptor fetch(const Name& name) {
  const base::FileDescriptor socket = openSocket();
  if (::connect(socket.get(), addressOf(name), name.length) != 0)
    base::throwErrno(errno, "connect to the Unix socket of PE 0");
  if (!isOwnUser(socket.get())) refuse("the Unix socket of PE 0 is another user's");
  const base::TimePoint end = base::deadlineAfter(kPatience);
  while (!isReadable(socket.get(), end)) {
    if (base::Clock::now() >= end) refuse("PE 0 does not hand out the memory");
  }
  std::array<std::byte, 1> byte{};
  std::vector<base::FileDescriptor> descriptors;
  if (door::receiveWith(socket.get(), byte, descriptors) != 1 || descriptors.size() != 1)
    refuse("PE 0 has handed out no memory");
  return std::move(descriptors.front());
}

/// What rank 0 has, and nobody else.
struct Counter {
  base::SharedMemory memory;
  base::FileDescriptor listening;
};

/// An error of this process becomes part of what it tells the others.
template <class Message, class Action>
void orTell(Message& message, const Action& action) noexcept try {
  action();
} catch (const std::exception& error) {
  copyText(message.error, error.what());
}

Counter openCounter(const OwnExchange& exchange, const Layout& layout, Card& card) {
  Counter counter;
  orTell(card, [&] {
    const base::Id128 id = base::randomId128();
    card.socket[0] = id.high;
    card.socket[1] = id.low;
    counter.memory = base::SharedMemory::reserve(layout.bytes(), kSlotAlignment);
    counter.listening = listenAt(nameOf(card.socket), exchange.size);
  });
  return counter;
}

base::SharedMemory pickUp(const OwnExchange& exchange, const Card& first, const Layout& layout,
                          Counter& counter) {
  if (exchange.rank != 0)
    return base::SharedMemory::mapReserved(fetch(nameOf(first.socket)), layout.bytes(),
                                           kSlotAlignment);
  handOut(counter.listening.get(), counter.memory.descriptor(), exchange.size - 1);
  return std::move(counter.memory);
}

Control& controlIn(const Brought& brought, int rank) noexcept {
  std::byte* const slot =
      brought.memory.bytes().data() + brought.layout.slotOffset(static_cast<std::size_t>(rank));
  return *reinterpret_cast<Control*>(slot);
}

/// Tells whoever waits for this process later whom to watch.
void introduce(const Brought& brought, int rank) noexcept {
  Control& control = controlIn(brought, rank);
  control.pid.store(::getpid(), std::memory_order_relaxed);
  control.start_time.store(startTimeOf(::getpid()), std::memory_order_release);
}

/// All fail alike if one has not got the memory. If the exchange fails here, it may have been right
/// on others, who then wait for this process.
void agree(const OwnExchange& exchange, const Brought& brought, const Result& result) try {
  const std::vector<Result> results = gather(exchange, result);
  for (std::size_t rank = 0; rank < results.size(); ++rank) {
    if (results[rank].error[0] != '\0') refuse(fmt::format("PE {}: {}", rank, results[rank].error));
  }
} catch (...) {
  if (result.error[0] == '\0')
    controlIn(brought, exchange.rank).state.store(PeState::GaveUp, std::memory_order_release);
  throw;
}

}  // namespace

Brought bringTogether(const OwnExchange& exchange, std::size_t heap_bytes,
                      const std::string& error) {
  const Layout layout = Layout::of(static_cast<std::size_t>(exchange.size), heap_bytes, 0);
  Card card = ownCard(heap_bytes);
  copyText(card.error, error);
  Counter counter;
  if (exchange.rank == 0 && error.empty()) counter = openCounter(exchange, layout, card);
  const std::vector<Card> cards = gather(exchange, card);
  requireFitting(cards);

  Brought brought{{}, layout};
  Result result;
  orTell(result, [&] {
    brought.memory = pickUp(exchange, cards[0], layout, counter);
    populateFixedParts(brought.memory, layout, exchange.rank);
    introduce(brought, exchange.rank);
  });
  agree(exchange, brought, result);
  return brought;
}

}  // namespace ucxx::shmem
