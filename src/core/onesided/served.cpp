// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/onesided/served.h"

#include <cstring>
#include <utility>

#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/port.h"
#include "core/onesided/accesses.h"
#include "core/onesided/atomic_update.h"
#include "core/onesided/memory_registry.h"
#include "core/wire/wire.h"

namespace ucxx::core {
static_assert(Served::kMostAnswers >= 2 * Accesses::kMostUnderWay);

bool Served::take(const Incoming& message) {
  switch (message.header.kind) {
    case MessageKind::Put:
      return put(message);
    case MessageKind::Get:
      return get(message);
    case MessageKind::Atomic:
      return update(message);
    default:
      return settle(message);
  }
}

bool Served::put(const Incoming& message) {
  const WireHeader& header = message.header;
  const auto store = [&](std::byte* place) { std::memcpy(place, message.bytes, message.size); };
  if (message.size != header.length || message.size == 0 || message.size > kMostBytes) return false;
  if (!ownMemory().reach(header.endpoint, header.argument, message.size, store))
    refused_ = UCS_ERR_INVALID_PARAM;
  return true;
}

bool Served::settle(const Incoming& message) {
  if (message.size != 0 || !mayAnswer()) return false;
  answer(makeAnswer(0), std::exchange(refused_, UCS_OK));
  return true;
}

bool Served::get(const Incoming& message) {
  const WireHeader& header = message.header;
  const std::size_t size = header.length;
  if (message.size != 0 || size == 0 || size > kMostBytes || !mayAnswer()) return false;
  NoticePointer got = makeAnswer(size);
  const auto load = [&](std::byte* place) { std::memcpy(got->payload(), place, size); };
  const bool is_there = ownMemory().reach(header.endpoint, header.argument, size, load);
  answer(std::move(got), is_there ? UCS_OK : UCS_ERR_INVALID_PARAM);
  return true;
}

bool Served::update(const Incoming& message) {
  AtomicUpdate update;
  if (message.size != sizeof update) return false;
  std::memcpy(&update, message.bytes, sizeof update);
  if (!update.isValid()) return false;
  const WireHeader& header = message.header;
  ucs_status_t status = UCS_ERR_INVALID_PARAM;
  std::uint64_t before = 0;
  const auto apply = [&](std::byte* word) {
    if (!update.mayBeAt(word)) return;
    before = update.apply(word);
    status = UCS_OK;
  };
  (void)ownMemory().reach(header.endpoint, header.argument, update.word_bytes, apply);
  if (update.fetches == 0) {
    if (status != UCS_OK) refused_ = status;
    return true;
  }
  if (!mayAnswer()) return false;
  NoticePointer fetched = makeAnswer(update.word_bytes);
  update.store(before, fetched->payload());
  answer(std::move(fetched), status);
  return true;
}

NoticePointer Served::makeAnswer(std::size_t size) {
  return Notice::make(port_, size, &under_way_);
}

/// The bytes are left out when there is nothing to answer with.
void Served::answer(NoticePointer notice, ucs_status_t status) {
  base::reached(base::Phase::AccessServed);
  const std::size_t size = status == UCS_OK ? notice->room : 0;
  port_.tell(std::move(notice), MessageKind::Answer, argumentOf(status), size);
}

}  // namespace ucxx::core
