// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/counter.h"

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
#include "shmem/meeting.h"
#include "shmem/texts.h"
#include "shmem/watched_process.h"

namespace ucxx::shmem {
namespace {

/// Whether those live that have not come is looked at so often.
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

/// When one has failed the others need not come; those that do hear why.
constexpr auto kPatienceAfterError = std::chrono::seconds(1);

/// A process that is to get the memory.
struct Customer {
  std::size_t rank;
  const Card& card;
  base::FileDescriptor socket{};  ///< since it has come
  bool is_settled = false;        ///< it has the memory, or never will
};

class Service {
 public:
  Service(const Counter& counter, const std::vector<Card>& cards) : counter_(counter) {
    for (std::size_t rank = 1; rank < cards.size(); ++rank)
      customers_.push_back({rank, cards[rank]});
  }

  /// Until nobody is to be served; returns the first error, or nothing. The customers wait for this
  /// object's end.
  std::string run() noexcept try {
    while (!isDone()) goOn();
    return error_;
  } catch (const std::exception& error) {
    return fmt::format("PE 0: {}", error.what());
  }

 private:
  bool isDone() const {
    return std::all_of(customers_.begin(), customers_.end(),
                       [](const Customer& customer) { return customer.is_settled; });
  }

  void goOn() {
    std::vector<pollfd> wanted{{counter_.listening.get(), POLLIN, 0}};
    for (const Customer& customer : customers_)
      wanted.push_back({customer.is_settled ? -1 : customer.socket.get(), POLLIN, 0});
    const int ready = ::poll(wanted.data(), wanted.size(), static_cast<int>(kBetweenLooks.count()));
    if (ready < 0 && errno != EINTR) base::throwErrno(errno, "poll");
    if (ready < 0) return;
    for (std::size_t i = 0; i < customers_.size(); ++i) {
      if (wanted[i + 1].revents != 0) hear(customers_[i]);
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
    for (Customer& customer : customers_) {
      if (pid == 0 || customer.card.pid != pid || customer.socket || customer.is_settled) continue;
      customer.socket = std::move(socket);
      const std::array<std::byte, 1> byte{};
      // Where that fails the customer has gone, or will: it is heard.
      door::sendWith(customer.socket.get(), byte, {{counter_.memory.descriptor()}});
      return;
    }
  }

  base::FileDescriptor accept() const {
    const base::ForkBarrier barrier;
    base::FileDescriptor socket(
        ::accept4(counter_.listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
      base::throwErrno(errno, "accept a process that comes for the memory");
    return socket;
  }

  void hear(Customer& customer) {
    Result result;
    const ssize_t got =
        ::recv(customer.socket.get(), &result, sizeof result, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got != sizeof result) return settle(customer, nameOfPe(customer) + " has ended");
    result.error[sizeof result.error - 1] = '\0';
    settle(customer, result.error[0] == '\0'
                         ? std::string()
                         : fmt::format("PE {}: {}", customer.rank, result.error));
  }

  void lookForMissing() {
    const base::TimePoint now = base::Clock::now();
    next_look_ = now + kBetweenLooks;
    for (Customer& customer : customers_) {
      if (customer.socket || customer.is_settled) continue;
      if (WatchedProcess(static_cast<pid_t>(customer.card.pid), customer.card.start_time)
              .hasEnded()) {
        settle(customer, nameOfPe(customer) + " has ended");
      } else if (now >= end_) {
        settle(customer, fmt::format("{} has not come for the memory within {} s: has the "
                                     "allgather failed there?",
                                     nameOfPe(customer), kPatience.count()));
      }
    }
  }

  void settle(Customer& customer, const std::string& error) {
    customer.is_settled = true;
    if (error.empty() || !error_.empty()) return;
    error_ = error;
    end_ = std::min(end_, base::deadlineAfter(kPatienceAfterError));
  }

  static std::string nameOfPe(const Customer& customer) {
    return shmem::nameOfPe(customer.rank, customer.card);
  }

  const Counter& counter_;
  std::vector<Customer> customers_;
  std::string error_;
  base::TimePoint end_ = base::deadlineAfter(kPatience);
  base::TimePoint next_look_ = base::Clock::now();
};

void announce(Common& common, const std::string& error) noexcept {
  copyText(common.refusal, error);
  common.verdict.store(error.empty() ? Verdict::AllHere : Verdict::Refused,
                       std::memory_order_release);
}

base::FileDescriptor listenAt(const SocketName& name) {
  base::FileDescriptor socket = openSocket();
  if (::bind(socket.get(), name.get(), name.length) != 0 || ::listen(socket.get(), kMostPes) != 0)
    base::throwErrno(errno, "listen at a Unix socket");
  return socket;
}

}  // namespace

Counter openCounter(const Layout& layout, Card& card) {
  const base::Id128 id = base::randomId128();
  card.socket[0] = id.high;
  card.socket[1] = id.low;
  Counter counter{base::SharedMemory::reserve(layout.bytes(), kSlotAlignment), {}};
  introduce(counter.memory, layout, 0, card);
  counter.listening = listenAt(SocketName(card));
  return counter;
}

base::SharedMemory serve(Counter counter, const std::vector<Card>& cards) {
  Service service(counter, cards);
  const std::string error = service.run();
  announce(commonIn(counter.memory), error);
  if (!error.empty()) base::throwStatus(UCS_ERR_UNREACHABLE, error);
  return std::move(counter.memory);
}

}  // namespace ucxx::shmem
