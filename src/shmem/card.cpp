// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/card.h"

#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <ucs/type/status.h>
#include <unistd.h>

#include "base/id128.h"
#include "base/status.h"
#include "door/machine_id.h"
#include "shmem/process_name.h"
#include "shmem/texts.h"
#include "shmem/version.h"

namespace ucxx::shmem {
namespace {

[[noreturn]] void refuse(const std::string& why) { base::throwStatus(UCS_ERR_UNREACHABLE, why); }

std::uint64_t networkNamespace() noexcept {
  struct stat state {};
  return ::stat("/proc/self/ns/net", &state) == 0 ? state.st_ino : 0;
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

}  // namespace

Card ownCard(std::size_t heap_bytes, const std::string& error) noexcept {
  Card card;
  card.user = ::geteuid();
  copyText(card.version, kVersion);
  const base::Id128 machine = door::machineId();
  card.machine[0] = machine.high;
  card.machine[1] = machine.low;
  card.network = networkNamespace();
  card.pids = ownPidNamespace();
  card.heap_bytes = heap_bytes;
  card.pid = ::getpid();
  card.start_time = startTimeOf(::getpid());
  copyText(card.error, error);
  return card;
}

std::vector<Card> exchangeCards(const OwnExchange& exchange, const Card& mine) {
  std::vector<Card> all(static_cast<std::size_t>(exchange.size));
  const int status = exchange.allgather(&mine, all.data(), sizeof mine, exchange.context);
  if (status != 0) refuse(fmt::format("the allgather of the program has failed with {}", status));
  if (std::memcmp(&all[static_cast<std::size_t>(exchange.rank)], &mine, sizeof mine) != 0)
    refuse(fmt::format("the allgather of the program has not given rank {} its own contribution",
                       exchange.rank));
  for (Card& card : all) card.error[sizeof card.error - 1] = '\0';
  requireFitting(all);
  return all;
}

std::string nameOfPe(std::size_t rank, const Card& card) {
  return fmt::format("PE {} (pid {})", rank, card.pid);
}

}  // namespace ucxx::shmem
