// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/channel/incoming.h"

namespace ucxx::core {

/// So many partitions a plan may have.
inline constexpr std::size_t kMostPartitions = std::size_t{1} << 16;
/// So many sends one peer may have prepared on a link.
inline constexpr std::size_t kMostPlans = std::size_t{1} << 14;

/// How much a plan moves, and in how many parts.
struct PlanShape {
  std::uint64_t bytes = 0;
  std::uint64_t partitions = 0;

  bool isValid() const noexcept {
    if (partitions == 0 || partitions > kMostPartitions || bytes % partitions != 0) return false;
    return bytes != 0 || partitions == 1;
  }
  bool fits(const PlanShape& other) const noexcept {
    const bool divides = partitions % other.partitions == 0 || other.partitions % partitions == 0;
    return bytes == other.bytes && divides;
  }
};

/// The payload of a PlanOffer, from whoever sends. Addresses are in the memory of whoever names
/// them, in its library memory; 0: it is not there.
struct PlanOffer {
  std::uint64_t id = 0;
  PlanShape shape;
  std::uint64_t ready = 0;  ///< the word into which the receiver puts the iteration it is ready for
};

/// The payload of a PlanAnswer, from whoever receives.
struct PlanAnswer {
  PlanShape shape;
  std::uint64_t data = 0;     ///< its buffer; meant only with `landing`
  std::uint64_t landing = 0;  ///< a word for each partition of the sender
};

/// Null: it has another length. A copy, since a peer may still change the bytes.
template <class Body>
std::optional<Body> readPlanBody(const Incoming& message) noexcept {
  if (message.size != sizeof(Body)) return std::nullopt;
  Body body;
  std::memcpy(&body, message.bytes, sizeof body);
  if (!body.shape.isValid()) return std::nullopt;
  return body;
}

/// The argument of a PlanData: the first of its partitions, and the lower half of its iteration.
struct PlanPart {
  std::uint32_t first = 0;
  std::uint32_t iteration = 0;

  std::uint64_t word() const noexcept { return std::uint64_t{first} << 32 | iteration; }
  static PlanPart read(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }
};

}  // namespace ucxx::core
