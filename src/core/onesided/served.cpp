// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/onesided/served.h"

#include <cstring>
#include <memory>
#include <utility>

#include "base/completion.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/link_types.h"
#include "core/link/link.h"
#include "core/onesided/accesses.h"
#include "core/onesided/atomic_update.h"
#include "core/onesided/memory_registry.h"
#include "core/wire/wire.h"

namespace ucxx::core {
static_assert(Served::kMostAnswers >= 2 * Accesses::kMostUnderWay);

/// On its way, with bytes of its own.
struct Served::Answer final : base::Completion {
  Answer(Served& served_, std::size_t size_)
      : served(served_), size(size_), bytes(std::make_unique<std::byte[]>(size_)) {
    done = [](base::Completion& self, ucs_status_t status) {
      const std::unique_ptr<Answer> ended(&static_cast<Answer&>(self));
      Link& link = ended->served.link_;
      --ended->served.under_way_;
      partEnded(link);
      link.sendEnded(status);
    };
  }

  Served& served;
  WireHeader header;
  std::size_t size;
  std::unique_ptr<std::byte[]> bytes;
};

bool Served::take(const Incoming& message) {
  switch (message.header.kind) {
    case MessageKind::Put:
      return put(message);
    case MessageKind::Get:
      return get(message);
    case MessageKind::Atomic:
      return update(message);
    default:  // Settle
      return message.size == 0 &&
             answer(std::make_unique<Answer>(*this, 0), std::exchange(refused_, UCS_OK));
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

bool Served::get(const Incoming& message) {
  const WireHeader& header = message.header;
  const std::size_t size = header.length;
  if (message.size != 0 || size == 0 || size > kMostBytes) return false;
  auto got = std::make_unique<Answer>(*this, size);
  const auto load = [&](std::byte* place) { std::memcpy(got->bytes.get(), place, got->size); };
  const bool is_there = ownMemory().reach(header.endpoint, header.argument, size, load);
  return answer(std::move(got), is_there ? UCS_OK : UCS_ERR_INVALID_PARAM);
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
  auto fetched = std::make_unique<Answer>(*this, update.word_bytes);
  update.store(before, fetched->bytes.get());
  return answer(std::move(fetched), status);
}

/// The bytes are left out when there is nothing to answer with. False: the peer asks for more than
/// it may at once.
bool Served::answer(std::unique_ptr<Answer> answer, ucs_status_t status) {
  if (under_way_ >= kMostAnswers) return false;
  base::reached(base::Phase::AccessServed);
  const std::size_t size = status == UCS_OK ? answer->size : 0;
  answer->header = link_.headerFor(MessageKind::Answer, nullptr, argumentOf(status), size);
  ++under_way_;
  ++link_.pending_parts;
  Answer& sent = *answer.release();
  const auto header = std::as_bytes(std::span(&sent.header, 1));
  const ucs_status_t given = link_.put(header, sent.bytes.get(), size, Carrier::Channel, sent);
  if (given != UCS_INPROGRESS) sent.done(sent, given);
  return true;
}

}  // namespace ucxx::core
