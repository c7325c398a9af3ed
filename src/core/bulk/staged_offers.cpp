// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/staged_offers.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/completion.h"
#include "base/list.h"
#include "base/object_pool.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/match/landing.h"
#include "core/request/device_copies.h"
#include "core/request/host_memory.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"
#include "local/arena.h"
#include "ucp/device_memory.h"

namespace ucxx::core {
namespace {

/// At a time, of one payload: the device copies some while the peer does others.
constexpr std::size_t kMostParts = 4;

bool isMapped(const std::shared_ptr<std::byte>& memory, std::size_t size) noexcept {
  const local::Arena* const arena = local::Arena::existing();
  return memory != nullptr && arena != nullptr && arena->contains(memory.get(), size);
}

/// Where a part is staged: what peers map, and the device reaches directly, if possible. Null:
/// there is no memory that they map.
std::shared_ptr<std::byte> mappedMemory(std::size_t size) {
  if (auto staging = takeStaging(size); isMapped(staging, size)) return staging;
  const std::shared_ptr<void> mapped = allocateMapped(size);
  return {mapped, static_cast<std::byte*>(mapped.get())};
}

}  // namespace

/// Bytes of a block on their way into a part.
struct Offers::PartCopy final : DeviceCopy {
  static PartCopy* make(Offers& offers, Offer& offer) {
    auto* const copy = new (base::PoolAllocator<PartCopy>().allocate(1)) PartCopy;
    copy->offers = &offers;
    copy->offer = &offer;
    copy->part = &offer.staging->parts.back();
    copy->is_from_device = offer.staging->is_on_device;
    copy->held = copy->part->memory;
    copy->done = [](base::Completion& self, ucs_status_t status) {
      auto& copy = static_cast<PartCopy&>(self);
      const PartCopy ended = std::move(copy);
      copy.~PartCopy();
      base::PoolAllocator<PartCopy>().deallocate(&copy, 1);
      --ended.part->coming;
      --ended.offer->flying;
      ended.offers->partStaged(*ended.offer, status);
    };
    return copy;
  }
  Offers* offers = nullptr;
  Offer* offer = nullptr;
  Staging::Part* part = nullptr;  // a deque's: it stays in its place
};

/// All of it by UCX.
struct Offers::UcxSend final : base::Completion {
  UcxSend(Offers& its_offers, Offer& its_offer) : offers(its_offers), offer(its_offer) {
    done = [](base::Completion& self, ucs_status_t status) {
      const std::unique_ptr<UcxSend> ended(static_cast<UcxSend*>(&self));
      Offers& its_offers = ended->offers;
      its_offers.stop(ended->offer, status);
      // UCX has CANCELED for one that its receiver has dropped.
      if (status != UCS_OK && status != UCS_ERR_CANCELED) (void)its_offers.port_.sendEnded(status);
      if (--ended->offer.flying == 0) its_offers.finish(ended->offer);
    };
  }
  Offers& offers;
  Offer& offer;
  WireHeader header;
};

void Offers::addOfDevice(Operation& op, std::span<const ucp_dt_iov_t> blocks, bool by_ucx) {
  auto staging = std::make_unique<Staging>();
  staging->by_ucx = by_ucx;
  staging->is_on_device = std::all_of(blocks.begin(), blocks.end(), [](const ucp_dt_iov_t& block) {
    return ucp::placeOf(block.buffer).is_on_device;
  });
  (void)add(op, blocks);
  offers_[last_number_].staging = std::move(staging);
}

Offers::Offer* Offers::findUnasked(std::uint64_t number) noexcept {
  Offer* const offer = findAny(number);
  const bool is_there = offer != nullptr && !offer->granted && offer->staging != nullptr &&
                        offer->op != nullptr && offer->left != 0;
  return is_there ? offer : nullptr;
}

bool Offers::stage(std::uint64_t number) {
  Offer* const offer = findUnasked(number);
  if (offer == nullptr) return false;
  const std::size_t size = std::min(offer->left, kMostStaged);
  std::shared_ptr<std::byte> memory = mappedMemory(size);
  if (memory == nullptr) return tellFailure(*offer, kCannotStage), true;
  offer->granted = true;
  copyOut(*offer, size, std::move(memory));
  stageMore(*offer);
  return true;
}

bool Offers::stagedTaken(std::uint64_t number) {
  Offer* const offer = findAny(number);
  if (offer == nullptr || offer->staging == nullptr || offer->staging->is_whole) return false;
  std::deque<Staging::Part>& parts = offer->staging->parts;
  if (parts.empty() || !parts.front().is_told) return false;
  parts.pop_front();
  if (offer->over) return finishStaged(*offer), true;
  if (offer->left == 0 && parts.empty())
    finish(*offer);
  else
    stageMore(*offer);
  return true;
}

/// The peer is told, and ends its receive.
void Offers::stageMore(Offer& offer) {
  try {
    while (offer.left != 0 && !offer.over && offer.staging->parts.size() < kMostParts) {
      const std::size_t size = std::min(offer.left, kMostStaged);
      std::shared_ptr<std::byte> memory = mappedMemory(size);
      if (memory == nullptr) throw std::bad_alloc();
      copyOut(offer, size, std::move(memory));
    }
  } catch (const std::bad_alloc&) {
    partStaged(offer, UCS_ERR_NO_MEMORY);
  }
}

/// For a peer that cannot copy from here: it gets pieces of a copy.
void Offers::stageAll(Offer& offer) {
  offer.staging->is_whole = true;
  try {
    copyOut(offer, offer.length, landingMemory(offer.length, false));
  } catch (const std::bad_alloc&) {
    port_.fail(UCS_ERR_NO_MEMORY);  // the peer waits for it
  }
}

/// The next `size` bytes of its blocks.
void Offers::copyOut(Offer& offer, std::size_t size, std::shared_ptr<std::byte> memory) {
  std::byte* to = memory.get();
  Staging::Part& part = offer.staging->parts.emplace_back();
  part.memory = std::move(memory);
  part.size = size;
  while (size != 0) {
    const ucp_dt_iov_t& front = offer.blocks.front();
    PartCopy* const copy = PartCopy::make(*this, offer);
    copy->from = static_cast<const std::byte*>(front.buffer) + offer.offset;
    copy->to = to;
    copy->size = std::min(size, front.length - offer.offset);
    to += copy->size;
    size -= copy->size;
    offer.left -= copy->size;
    offer.offset += copy->size;
    ++part.coming;
    ++offer.flying;
    if (offer.offset == front.length) {
      offer.blocks = offer.blocks.subspan(1);
      offer.offset = 0;
    }
    deviceCopiesOf(port_.loop).start(*copy);
  }
}

/// A copy into a part of it has ended, or cannot be made.
void Offers::partStaged(Offer& offer, ucs_status_t status) noexcept {
  if (status != UCS_OK && !offer.over) {
    stop(offer, status);
    if (offer.staging->is_whole) {
      port_.fail(status);  // what the peer has been promised does not come
    } else {
      tellFailure(offer, status);
    }
  }
  offer.over ? finishStaged(offer) : tellStaged(offer);
}

/// In place of the next part.
void Offers::tellFailure(const Offer& offer, ucs_status_t status) {
  WireHeader failure = port_.headerFor(MessageKind::Staged, {}, offer.number, 0);
  failure.endpoint = argumentOf(status);
  port_.sendControl(failure);
}

/// `offer` has failed. What the peer was told of before, it still takes, until it has read that.
void Offers::finishStaged(Offer& offer) noexcept {
  const std::deque<Staging::Part>& parts = offer.staging->parts;
  const bool is_owed =
      !parts.empty() && parts.front().is_told && !offer.staging->is_whole && port_.isSending();
  if (offer.flying == 0 && !is_owed) finish(offer);
}

/// What is there, in its order.
void Offers::tellStaged(Offer& offer) {
  for (Staging::Part& part : offer.staging->parts) {
    if (part.coming != 0) return;
    if (std::exchange(part.is_told, true)) continue;
    if (offer.staging->is_whole) {
      offer.single = {part.memory.get(), part.size};
      offer.blocks = std::span(&offer.single, 1);
      offer.offset = 0;
      offer.left = part.size;
      turns_.pushBack(offer);
      return sendPieces();
    }
    WireHeader told = port_.headerFor(MessageKind::Staged, {}, offer.number, part.size);
    told.endpoint = reinterpret_cast<std::uintptr_t>(part.memory.get());
    port_.sendControl(told);
  }
}

bool Offers::grantByUcx(std::uint64_t number) noexcept {
  Offer* const offer = findUnasked(number);
  if (offer == nullptr || !offer->staging->by_ucx) return false;
  offer->granted = true;
  return true;
}

void Offers::takeBackFromUcx(std::uint64_t number) noexcept {
  if (Offer* const offer = findAny(number)) offer->granted = false;
}

void Offers::sendByUcx(std::uint64_t number) {
  Offer* const offer = findAny(number);
  if (offer == nullptr) return;  // its link has ended
  auto* const send = new UcxSend(*this, *offer);
  offer->left = 0;
  offer->over = true;
  ++offer->flying;
  send->header = port_.headerOfPayload(offer->number, offer->length);
  const auto header = std::as_bytes(std::span(&send->header, 1));
  const ucp_dt_iov_t& first = offer->blocks.front();
  const ucs_status_t status =
      offer->blocks.size() == 1
          ? port_.put(header, first.buffer, first.length, Carrier::UcxAnnounced, *send)
          : port_.put(header, offer->blocks, Carrier::UcxAnnounced, *send);
  if (status != UCS_INPROGRESS) send->done(*send, status);
}

}  // namespace ucxx::core
