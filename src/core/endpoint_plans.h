// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace ucxx::core {

class Plan;

/// The prepared transfers of one endpoint.
struct EndpointPlans {
  std::vector<std::shared_ptr<Plan>> all;  // in the order of their making
  std::vector<std::uint64_t> offers;       // of the peer, that have no receive yet; oldest first
};

}  // namespace ucxx::core
