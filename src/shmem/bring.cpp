// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/bring.h"

#include <exception>
#include <utility>
#include <vector>

#include "shmem/card.h"
#include "shmem/counter.h"
#include "shmem/customer.h"
#include "shmem/texts.h"

namespace ucxx::shmem {
namespace {

/// What goes wrong here the others learn from the card.
Counter openOrTell(const Layout& layout, Card& card) noexcept try {
  return openCounter(layout, card);
} catch (const std::exception& error) {
  copyText(card.error, error.what());
  return {};
}

}  // namespace

Brought bringTogether(const OwnExchange& exchange, std::size_t heap_bytes,
                      const std::string& error) {
  const Layout layout = Layout::of(static_cast<std::size_t>(exchange.size), heap_bytes, 0);
  Card card = ownCard(heap_bytes, error);
  Counter counter;
  if (exchange.rank == 0 && error.empty()) counter = openOrTell(layout, card);
  const std::vector<Card> cards = exchangeCards(exchange, card);
  if (exchange.rank == 0) return {serve(std::move(counter), cards), layout};
  return {fetch(cards, exchange.rank, layout), layout};
}

}  // namespace ucxx::shmem
