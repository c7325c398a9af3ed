// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "core/match/endpoint_state.h"

namespace ucxx::core {

class Link;

/// The endpoints of a worker, in the order of their making.
class Endpoints {
 public:
  explicit Endpoints(Loop& loop) noexcept : loop_(loop) {}
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  EndpointState& add(bool own_opened);
  /// Null: it has been freed.
  EndpointState* find(std::uint64_t key) const noexcept;
  std::vector<EndpointState*> all() const;
  std::size_t size() const noexcept { return all_.size(); }
  /// Calls `act` with each, oldest first; it may end and free any of them, and make new ones.
  template <class Act>
  void each(const Act& act) const {
    for (auto next = all_.begin(); next != all_.end();) {
      const std::uint64_t key = next->first;
      act(*next->second);
      next = all_.upper_bound(key);
    }
  }
  /// The user has dropped `endpoint`.
  void release(EndpointState& endpoint) noexcept;
  /// Frees `endpoint` if it is over and nobody holds it.
  void freeIfDone(EndpointState& endpoint) noexcept;
  /// `link` is about to be freed.
  void forget(const Link& link) noexcept;
  /// Ends what is pending on those that are over; returns how many operations were cancelled.
  std::size_t cancelFailed() noexcept;
  void clear() noexcept { all_.clear(); }
  /// In a forked child: they are the parent's.
  void abandon() noexcept { (void)new decltype(all_)(std::move(all_)); }

 private:
  Loop& loop_;
  std::map<std::uint64_t, std::unique_ptr<EndpointState>> all_;
};

inline Endpoints& endpointsOf(const Loop& loop) noexcept { return *loop.rooms.endpoints; }

}  // namespace ucxx::core
