// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ucxx::core {

class Plan;

/// The prepared transfers of one endpoint.
struct EndpointPlans {
  std::vector<std::shared_ptr<Plan>> all;  // in the order of their making
  std::vector<std::uint64_t> offers;       // of the peer, that have no receive yet; oldest first
  /// The link is not up, or not all that waited for it have had their turn: others come after them.
  bool await_link = false;
  std::size_t waiting = 0;  // so many of them, the last ones

  /// The oldest one that waits, which does so no longer; or null.
  std::shared_ptr<Plan> takeWaiting() noexcept {
    return waiting == 0 ? nullptr : all[all.size() - waiting--];
  }
  void remove(const Plan& plan) noexcept {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.get() == &plan; });
    if (found == all.end()) return;
    if (static_cast<std::size_t>(all.end() - found) <= waiting) --waiting;
    all.erase(found);
  }
  std::vector<std::shared_ptr<Plan>> takeAll() noexcept {
    waiting = 0;
    return std::exchange(all, {});
  }
};

}  // namespace ucxx::core
