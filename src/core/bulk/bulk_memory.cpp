// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/bulk_memory.h"

#include <chrono>

#include "core/channel/port.h"
#include "core/loop/loop.h"
#include "local/channel.h"

namespace ucxx::core {
namespace {

/// Between two looks. What was not used since the last one is given back, so memory goes two to
/// four seconds after its last use.
constexpr auto kLookAfter = std::chrono::seconds(2);

}  // namespace

BulkMemory::BulkMemory(Port& port) noexcept
    : port_(port), next_look_(port.loop.deadlines, *this, [](BulkMemory& it) { it.look(); }) {}

void BulkMemory::watch() noexcept {
  if (next_look_.isSet() || port_.state == Port::State::Ended) return;
  if (port_.local == nullptr || !port_.local->mustWatchBulkMemory()) return;
  next_look_.set(port_.loop.now() + kLookAfter);
}

void BulkMemory::look() noexcept {
  if (port_.local != nullptr) port_.local->giveBackBulkMemory();
  watch();
}

}  // namespace ucxx::core
