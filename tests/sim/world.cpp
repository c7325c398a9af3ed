// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "sim/world.h"

#include <fmt/format.h>

#include "base/id128.h"
#include "sim/doors.h"
#include "sim/network.h"

namespace ucxx::sim {
namespace {

World* the_world = nullptr;

}  // namespace

World::World(std::uint64_t seed, const Manners& manners_)
    : manners(manners_),
      random(seed),
      network(std::make_unique<Network>(*this)),
      doors(std::make_unique<Doors>(*this)) {
  the_world = this;
}

World::~World() { the_world = nullptr; }

World& World::current() noexcept { return *the_world; }

World* World::currentOrNull() noexcept { return the_world; }

void World::calm() noexcept { calm_ = true; }

}  // namespace ucxx::sim

// Instead of src/base/clock.cpp and src/base/id128.cpp.
namespace ucxx::base {

std::uint64_t Clock::cycles() noexcept {
  return static_cast<std::uint64_t>(now().time_since_epoch().count());
}

Clock::time_point Clock::now() noexcept {
  sim::World* world = sim::World::currentOrNull();
  return world != nullptr ? world->look() : time_point(std::chrono::seconds(1000));
}

Clock::time_point Clock::coarse() noexcept { return now(); }

void Clock::sleepFor(duration time) noexcept {
  if (sim::World* world = sim::World::currentOrNull()) world->pass(time);
}

Id128 randomId128() { return {randomU64() | 1, randomU64()}; }

std::uint64_t randomU64() { return sim::World::current().random.next(); }

std::string toString(const Id128& id) { return fmt::format("{:016x}{:016x}", id.high, id.low); }

}  // namespace ucxx::base
