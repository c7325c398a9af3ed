// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/seeded_hash.h"

namespace ucxx::core {

class EndpointState;

/// Which endpoint of one worker belongs to which of the other. An id is chosen by who opens;
/// messages say whose id they name. An open that meets an open of the local side without a partner
/// pairs with it: both sides see the opens of a link in order, so both decide alike. Else it makes
/// a passive endpoint, which its opener is told (MessageKind::Opened), and the next endpoint that
/// the local side opens to that worker adopts it. Knows no link; the loop's.
class Pairs {
 public:
  /// Endpoints that one peer may have open.
  static constexpr std::size_t kMost = 1 << 14;

  /// @name The endpoints of a link
  /// @{
  /// Lists an endpoint under its id. Throws `std::bad_alloc`.
  void list(EndpointState& endpoint);
  void unlist(EndpointState& endpoint) noexcept;
  /// Null: there is none.
  EndpointState* find(std::uint64_t id, bool own_opened) const noexcept {
    const Table& table = own_opened ? own_ : peers_;
    const auto found = table.find(id);
    return found == table.end() ? nullptr : found->second;
  }
  std::size_t count() const noexcept { return own_.size() + peers_.size(); }
  bool isEmpty() const noexcept { return own_.empty() && peers_.empty(); }
  /// The peer may open no more.
  bool isFull() const noexcept { return peers_.size() >= kMost; }
  /// In the order of their making, which is the order of pairs.
  std::vector<EndpointState*> all() const;
  /// All of them, once; needs no memory.
  std::vector<EndpointState*> takeAll() noexcept;
  /// Requests of some of them are pending.
  bool areExpecting() const noexcept;
  /// @}

  /// @name Pairing
  /// @{
  /// The local side has opened `endpoint`, and does not know its partner yet.
  void awaitPartner(EndpointState& endpoint);
  /// The oldest of those gets the partner `id`. Null: it was closed meanwhile, and takes its
  /// partner with it. None: nothing awaits a partner.
  std::optional<EndpointState*> pair(std::uint64_t id);
  /// The peer has said (MessageKind::Opened) that it has made a passive endpoint for an open of the
  /// local side.
  void forgetUnpaired(std::uint64_t id) noexcept;
  /// An endpoint that the peer has opened waits for the local side to adopt it.
  void keepPassive(EndpointState& endpoint) { passive_.push_back(&endpoint); }
  /// The oldest of those; null: there is none.
  EndpointState* takePassive() noexcept;
  /// `endpoint`, which is listed, gets the name of `passive`, and its place.
  void replace(EndpointState& passive, EndpointState& endpoint) noexcept;
  /// @}

 private:
  /// An open of the local side whose partner is not known yet.
  struct Unpaired {
    std::uint64_t id = 0;
    EndpointState* endpoint = nullptr;  // null: closed meanwhile
  };
  using Table = std::unordered_map<std::uint64_t, EndpointState*, base::SeededHash>;

  void collect(std::vector<EndpointState*>& endpoints) const;

  Table own_;                            // opened by the local side
  Table peers_;                          // opened by the peer
  std::vector<EndpointState*> room_;     // for `takeAll`
  std::vector<Unpaired> unpaired_;       // oldest first
  std::vector<EndpointState*> passive_;  // oldest first
};

}  // namespace ucxx::core
