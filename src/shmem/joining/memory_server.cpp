// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/memory_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <ucs/type/status.h>

#include "base/clock.h"
#include "base/id128.h"
#include "base/status.h"
#include "base/system_error.h"
#include "door/descriptor_passing.h"
#include "shmem/joining/meeting.h"
#include "shmem/joining/texts.h"
#include "shmem/joining/watched_process.h"

namespace ucxx::shmem {
namespace {

/// Whether those live that have not come is looked at so often.
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

/// When one has failed the others need not come; those that do hear why.
constexpr auto kPatienceAfterError = std::chrono::seconds(1);

/// A process that is to get the memory.
struct Client {
  std::size_t rank;
  const ProcessInfo& info;
  base::FileDescriptor socket{};  ///< since it has come
  bool is_settled = false;        ///< it has the memory, or never will
};

class Service {
 public:
  Service(const MemoryServer& server, const std::vector<ProcessInfo>& infos) : server_(server) {
    for (std::size_t rank = 1; rank < infos.size(); ++rank) clients_.push_back({rank, infos[rank]});
  }

  /// Until nobody is to be served; returns the first error, or nothing. The clients wait for this
  /// object's end.
  std::string run() noexcept try {
    while (!isDone()) goOn();
    return error_;
  } catch (const std::exception& error) {
    return fmt::format("PE 0: {}", error.what());
  }

 private:
  bool isDone() const {
    return std::all_of(clients_.begin(), clients_.end(),
                       [](const Client& client) { return client.is_settled; });
  }

  void goOn() {
    std::vector<pollfd> wanted{{server_.listening.get(), POLLIN, 0}};
    for (const Client& client : clients_)
      wanted.push_back({client.is_settled ? -1 : client.socket.get(), POLLIN, 0});
    const int ready = ::poll(wanted.data(), wanted.size(), static_cast<int>(kBetweenLooks.count()));
    if (ready < 0 && errno != EINTR) base::throwErrno(errno, "poll");
    if (ready < 0) return;
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      if (wanted[i + 1].revents != 0) hear(clients_[i]);
    }
    if (wanted[0].revents != 0) {
      welcome();
    } else if (base::Clock::now() >= next_look_) {
      lookForMissing();
    }
  }

  /// Strangers are hung up on.
  void welcome() {
    base::FileDescriptor socket = accept();
    if (!socket) return;
    const pid_t pid = processAt(socket.get());
    for (Client& client : clients_) {
      if (pid == 0 || client.info.pid != pid || client.socket || client.is_settled) continue;
      client.socket = std::move(socket);
      const std::array<std::byte, 1> byte{};
      // Where that fails the client has gone, or will: it is heard.
      door::sendWith(client.socket.get(), byte, {{server_.memory.descriptor()}});
      return;
    }
  }

  base::FileDescriptor accept() const {
    const base::ForkBarrier barrier;
    base::FileDescriptor socket(::accept4(server_.listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
      base::throwErrno(errno, "accept a process that comes for the memory");
    return socket;
  }

  void hear(Client& client) {
    Result result;
    const ssize_t got =
        ::recv(client.socket.get(), &result, sizeof result, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got != sizeof result) return settle(client, nameOfPe(client) + " has ended");
    result.error[sizeof result.error - 1] = '\0';
    settle(client, result.error[0] == '\0' ? std::string()
                                           : fmt::format("PE {}: {}", client.rank, result.error));
  }

  void lookForMissing() {
    const base::TimePoint now = base::Clock::now();
    next_look_ = now + kBetweenLooks;
    for (Client& client : clients_) {
      if (client.socket || client.is_settled) continue;
      if (WatchedProcess(static_cast<pid_t>(client.info.pid), client.info.start_time).hasEnded()) {
        settle(client, nameOfPe(client) + " has ended");
      } else if (now >= end_) {
        settle(client, fmt::format("{} has not come for the memory within {} s: has the "
                                   "allgather failed there?",
                                   nameOfPe(client), kPatience.count()));
      }
    }
  }

  void settle(Client& client, const std::string& error) {
    client.is_settled = true;
    if (error.empty() || !error_.empty()) return;
    error_ = error;
    end_ = std::min(end_, base::deadlineAfter(kPatienceAfterError));
  }

  static std::string nameOfPe(const Client& client) {
    return shmem::nameOfPe(client.rank, client.info);
  }

  const MemoryServer& server_;
  std::vector<Client> clients_;
  std::string error_;
  base::TimePoint end_ = base::deadlineAfter(kPatience);
  base::TimePoint next_look_ = base::Clock::now();
};

void announce(Common& common, const std::string& error) noexcept {
  copyText(common.refusal, error);
  common.hand_out.store(error.empty() ? HandOut::AllHere : HandOut::Refused,
                        std::memory_order_release);
}

base::FileDescriptor listenAt(const SocketName& name) {
  base::FileDescriptor socket = openSocket();
  if (::bind(socket.get(), name.get(), name.length) != 0 || ::listen(socket.get(), kMostPes) != 0)
    base::throwErrno(errno, "listen at a Unix socket");
  return socket;
}

}  // namespace

MemoryServer openMemoryServer(const Layout& layout, ProcessInfo& info) {
  const base::Id128 id = base::randomId128();
  info.socket[0] = id.high;
  info.socket[1] = id.low;
  MemoryServer server{base::SharedMemory::reserve(layout.bytes(), kSlotAlignment), {}};
  introduce(server.memory, layout, 0, info);
  server.listening = listenAt(SocketName(info));
  return server;
}

base::SharedMemory serve(MemoryServer server, const std::vector<ProcessInfo>& infos) {
  Service service(server, infos);
  const std::string error = service.run();
  announce(commonIn(server.memory), error);
  if (!error.empty()) base::throwStatus(UCS_ERR_UNREACHABLE, error);
  return std::move(server.memory);
}

}  // namespace ucxx::shmem
