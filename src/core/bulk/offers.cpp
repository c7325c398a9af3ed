// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/offers.h"

#include <algorithm>

#include "base/completion.h"
#include "base/copying.h"
#include "base/file_descriptor.h"
#include "base/object_pool.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/bulk/helps.h"
#include "core/bulk/staged_offers.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/reviews.h"
#include "core/request/operation.h"

namespace ucxx::core {
namespace {

/// Pieces under way: enough to keep the sockets full while a loop does something else, few
/// enough that a small message behind them is not late.
constexpr std::size_t kMostFlying = 64;
constexpr std::size_t kFewFlying = kMostFlying / 2;  // time for more
/// Blocks of the user's that one piece takes from.
constexpr std::size_t kMostBlocks = 16;

}  // namespace

/// Some bytes of an offer on their way.
struct Offers::Piece final : base::Completion {
  static Piece* make(Offers& offers, Offer& offer) {
    auto* piece = new (base::PoolAllocator<Piece>().allocate(1)) Piece;
    piece->offers = &offers;
    piece->offer = &offer;
    piece->done = [](base::Completion& self, ucs_status_t status) {
      static_cast<Piece&>(self).ended(status);
    };
    return piece;
  }
  /// Takes its bytes off the front of the offer.
  void fill() {
    for (std::size_t room = kPieceBytes; room != 0 && offer->left != 0 && count < kMostBlocks;) {
      const ucp_dt_iov_t& front = offer->blocks.front();
      const std::size_t taken = std::min(room, front.length - offer->offset);
      if (taken != 0)
        blocks[count++] = {static_cast<std::byte*>(front.buffer) + offer->offset, taken};
      room -= taken;
      offer->left -= taken;
      offer->offset += taken;
      if (offer->offset != front.length) continue;
      offer->blocks = offer->blocks.subspan(1);
      offer->offset = 0;
    }
  }
  ucs_status_t send() {
    header = offers->port_.headerOfPiece(offer->number, offer->length);
    const auto bytes = std::as_bytes(std::span(&header, 1));
    Port& port = offers->port_;
    base::aboutToCopy(kPieceBytes);
    if (count == 1)
      return port.put(bytes, blocks[0].buffer, blocks[0].length, Carrier::Channel, *this,
                      port.fragmentWayOf(offer->length));
    return port.put(bytes, std::span<const ucp_dt_iov_t>(blocks, count), Carrier::Channel, *this);
  }
  void ended(ucs_status_t status) noexcept {
    Offers& its_offers = *offers;
    Offer& its_offer = *offer;
    base::PoolAllocator<Piece>().deallocate(this, 1);
    --its_offers.flying_;
    ++its_offers.pieces_ended_;
    --its_offer.flying;
    if (status != UCS_OK) {
      its_offers.stop(its_offer, status);
      (void)its_offers.port_.sendEnded(status);
    }
    if (its_offer.over && its_offer.flying == 0) its_offers.finish(its_offer);
    // Not here: what is sent inside UCX's callback overtakes what waits in UCX, again and again.
    if (its_offers.flying_ <= kFewFlying && !its_offers.turns_.empty())
      its_offers.port_.review.ask();
  }

  Offers* offers = nullptr;
  Offer* offer = nullptr;
  WireHeader header;
  ucp_dt_iov_t blocks[kMostBlocks];
  std::size_t count = 0;
};

Offers::Offers(Port& port, Helps& helps) noexcept : port_(port), helps_(helps) {}

Offers::~Offers() = default;

std::span<const std::byte> Offers::add(Operation& op, std::span<const ucp_dt_iov_t> blocks) {
  Offer& offer = offers_[++last_number_];
  offer.op = &op;
  offer.number = last_number_;
  if (op.first_offer == 0) op.first_offer = offer.number;
  op.last_offer = offer.number;
  if (blocks.size() == 1) offer.single = blocks.front();
  offer.blocks = blocks.size() == 1 ? std::span<const ucp_dt_iov_t>(&offer.single, 1) : blocks;
  for (const ucp_dt_iov_t& block : blocks) offer.length += block.length;
  offer.left = offer.length;
  if (op.claim != 0) {
    offer.claim = op.claim;
    ++claimed_[op.claim];
  }
  return blocks.size() == 1 ? std::as_bytes(std::span(&offer.single.buffer, 1))
                            : std::span<const std::byte>();
}

local::Claim Offers::openClaim(local::ClaimMemory& memory) {
  const local::Claim claim = claims_.open(memory);
  if (claimed_.size() <= claim) claimed_.resize(claim + std::size_t{1});
  claimed_[claim] = 0;
  return claim;
}

bool Offers::recall(const Operation& op, local::ClaimMemory& memory, local::Recalled how) noexcept {
  for (std::uint64_t number = op.first_offer; number <= op.last_offer; ++number) {
    const Offer* offer = findOf(op, number);
    if (offer != nullptr && offer->granted) return false;  // by a peer that has not claimed it
  }
  return local::Claims::recall(memory, op.claim, how);
}

void Offers::forget(Operation& op, ucs_status_t status, local::Recalled how) noexcept {
  std::uint32_t parts = 0;
  for (std::uint64_t number = op.first_offer; number <= op.last_offer; ++number) {
    Offer* offer = findOf(op, number);
    if (offer == nullptr) continue;
    offer->op = nullptr;
    offer->how = how;
    helps_.remove(number);
    ++parts;
  }
  for (; parts != 0; --parts) endPart(op, status);  // the last one may end it
}

void Offers::revoke(Operation& op, ucs_status_t status, local::Recalled how) noexcept {
  for (std::uint64_t number = op.first_offer; number <= op.last_offer; ++number) {
    const Offer* offer = findOf(op, number);
    if (offer != nullptr && (offer->granted || offer->length == 0)) return;
  }
  forget(op, status, how);
}

/// The peer asks for `offer`, which was revoked before.
void Offers::refuse(Offer& offer) {
  port_.sendControl(MessageKind::Gone, offer.number | gapBit(offer.how));
  finish(offer);
}

Offers::Offer* Offers::findAny(std::uint64_t number) noexcept {
  const auto found = offers_.find(number);
  return found == offers_.end() ? nullptr : &found->second;
}

Offers::Offer* Offers::find(std::uint64_t number) noexcept {
  Offer* offer = findAny(number);
  return offer == nullptr || offer->granted || offer->op == nullptr ? nullptr : offer;
}

Offers::Offer* Offers::findOf(const Operation& op, std::uint64_t number) noexcept {
  Offer* offer = findAny(number);
  return offer == nullptr || offer->op != &op ? nullptr : offer;
}

bool Offers::grant(std::uint64_t number) {
  Offer* offer = findAny(number);
  if (offer == nullptr || offer->granted) return false;
  if (offer->op == nullptr && offer->claim != 0) return false;  // a recalled claim cannot be taken
  if (offer->op == nullptr) return refuse(*offer), true;
  if (offer->left == 0) {
    finish(*offer);
    return true;
  }
  offer->granted = true;
  if (offer->staging != nullptr) return stageAll(*offer), true;
  turns_.pushBack(*offer);
  sendPieces();
  return true;
}

std::span<const std::byte> Offers::share(std::uint64_t number) noexcept {
  const Offer* offer = find(number);
  const bool is_single = offer != nullptr && offer->blocks.data() == &offer->single;
  if (!is_single || offer->staging != nullptr) return {};
  return {static_cast<const std::byte*>(offer->single.buffer), offer->length};
}

bool Offers::taken(std::uint64_t number) {
  Offer* offer = find(number);
  if (offer == nullptr) return false;
  finish(*offer);
  return true;
}

bool Offers::decline(std::uint64_t number) {
  Offer* offer = findAny(number);
  if (offer == nullptr || offer->granted) return false;
  if (offer->op != nullptr) offer->status = UCS_ERR_CANCELED;
  finish(*offer);
  return true;
}

void Offers::end() noexcept {
  Turns idle;
  for (auto& [number, offer] : offers_) {
    stop(offer, UCS_ERR_CANCELED);
    if (offer.flying == 0) idle.pushBack(offer);
  }
  while (Offer* offer = idle.popFront()) finish(*offer);
}

void Offers::sendPieces() {
  while (flying_ < kMostFlying && !turns_.empty() && port_.isSending() && !base::isForkedChild())
    sendPiece(*turns_.front());
}

void Offers::sendPiece(Offer& offer) {
  Piece* piece = Piece::make(*this, offer);
  piece->fill();
  turns_.remove(offer);
  offer.over = offer.left == 0;
  if (!offer.over) turns_.pushBack(offer);
  ++offer.flying;
  ++flying_;
  const ucs_status_t status = piece->send();
  base::reached(base::Phase::PieceSent);
  if (status != UCS_INPROGRESS) piece->ended(status);
}

void Offers::stop(Offer& offer, ucs_status_t status) noexcept {
  if (offer.node.linked()) turns_.remove(offer);
  if (offer.status == UCS_OK) offer.status = status;
  offer.over = true;
}

void Offers::finish(Offer& offer) noexcept {
  Operation* const op = offer.op;
  const ucs_status_t status = offer.status;
  const local::Claim claim = offer.claim;
  offers_.erase(offer.number);
  if (claim != 0 && --claimed_[claim] == 0) claims_.close(claim);
  port_.announcementEnded(op, status);
}

}  // namespace ucxx::core
