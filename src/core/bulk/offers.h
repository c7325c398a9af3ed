// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/list.h"
#include "core/wire/wire.h"
#include "local/claims.h"
#include "ucp/worker.h"

namespace ucxx::core {

class Helps;
class Port;
struct Operation;

/// In the argument of a Recall or a Gone.
constexpr std::uint64_t gapBit(local::Recalled how) noexcept {
  return how == local::Recalled::Gap ? kGapBit : 0;
}

/// The sending half of the library's own rendezvous: payloads that stay here until the peer has a
/// buffer for them. Then they go in pieces without credit, some of which are on their way at a
/// time: memory is bounded, other messages wait for few bytes, and several payloads go side by
/// side. Part of a link.
class Offers {
 public:
  Offers(Port& port, Helps& helps) noexcept;
  ~Offers();
  Offers(const Offers&) = delete;
  Offers& operator=(const Offers&) = delete;

  /// The next announcement of the local side stands for `blocks`, a part of `op` that ends with the
  /// offer. Several must live as long as `op`; a single one is copied. Returns its address, to be
  /// sent to a peer that can copy from here; empty if there are several.
  std::span<const std::byte> add(Operation& op, std::span<const ucp_dt_iov_t> blocks);
  /// As `add`, for blocks in memory of a device, which no process can copy from there. `by_ucx`:
  /// UCX reaches them.
  void addOfDevice(Operation& op, std::span<const ucp_dt_iov_t> blocks, bool by_ucx);
  /// A claim for `op`, which the next announcements are of; 0: all are in use.
  local::Claim openClaim(local::ClaimMemory& memory);
  /// What `op` announced with its claim is the local side's again. False: the peer has begun to
  /// take it.
  bool recall(const Operation& op, local::ClaimMemory& memory, local::Recalled how) noexcept;
  /// These parts of it end with `status`; the peer is still to drop them.
  void forget(Operation& op, ucs_status_t status, local::Recalled how) noexcept;
  /// As `forget`, without a claim, for a peer that copies nothing by itself: what it asks for later
  /// it is refused. Nothing happens while it gets a part of `op`, nor if one is empty: the peer
  /// ends its receive of that without an answer.
  void revoke(Operation& op, ucs_status_t status, local::Recalled how) noexcept;
  /// The peer has a buffer for it. False: there is no such offer.
  [[nodiscard]] bool grant(std::uint64_t number);
  /// The peer has no use for it. False: there is no such offer.
  [[nodiscard]] bool decline(std::uint64_t number);
  /// The peer copies it by itself. Empty: there is no such offer, or it is no single block.
  std::span<const std::byte> share(std::uint64_t number) noexcept;
  /// The peer has copied it. False: there is no such offer.
  [[nodiscard]] bool taken(std::uint64_t number);
  /// @name Payloads in memory of devices (staged_offers.cpp)
  /// Whoever answers with false knows no such offer, or it was asked for already.
  /// @{
  /// The peer copies what is staged for it, part by part, or is told what it ends with.
  [[nodiscard]] bool stage(std::uint64_t number);
  /// The peer has copied the oldest part.
  [[nodiscard]] bool stagedTaken(std::uint64_t number);
  /// The peer is to get the payload by UCX, which may not be there yet.
  [[nodiscard]] bool grantByUcx(std::uint64_t number) noexcept;
  /// UCX is there: the payload goes.
  void sendByUcx(std::uint64_t number);
  /// UCX does not come: the peer asks once more.
  void takeBackFromUcx(std::uint64_t number) noexcept;
  /// @}
  /// Pieces that have left, ever.
  std::uint64_t piecesEnded() const noexcept { return pieces_ended_; }
  /// Gives UCX more of what was granted.
  void sendPieces();
  /// The link has ended: so does what UCX does not hold; the rest when UCX lets go.
  void end() noexcept;

 private:
  struct Piece;
  struct Staging;
  struct PartCopy;
  struct UcxSend;
  struct Offer {
    Operation* op = nullptr;  // null: recalled, or revoked
    local::Claim claim = 0;
    std::uint64_t number = 0;
    ucp_dt_iov_t single{};  // when there is one block only
    std::span<const ucp_dt_iov_t> blocks;
    std::size_t offset = 0;  // in the first block
    std::size_t length = 0;
    std::size_t left = 0;    // not under way yet
    std::size_t flying = 0;  // pieces that are not sent yet, and copies that have not ended
    bool granted = false;
    bool over = false;  // nothing more goes
    local::Recalled how = local::Recalled::AsIfNeverSent;
    ucs_status_t status = UCS_OK;
    std::unique_ptr<Staging> staging;  // of one in memory of a device
    base::ListNode node;               // in turn for a piece
  };
  using Turns = base::List<Offer, &Offer::node>;

  Offer* findAny(std::uint64_t number) noexcept;
  Offer* find(std::uint64_t number) noexcept;
  Offer* findOf(const Operation& op, std::uint64_t number) noexcept;
  void refuse(Offer& offer);
  void sendPiece(Offer& offer);
  void stop(Offer& offer, ucs_status_t status) noexcept;
  void finish(Offer& offer) noexcept;
  Offer* findUnasked(std::uint64_t number) noexcept;
  void stageMore(Offer& offer);
  void stageAll(Offer& offer);
  void copyOut(Offer& offer, std::size_t size, std::shared_ptr<std::byte> memory);
  void partStaged(Offer& offer, ucs_status_t status) noexcept;
  void tellStaged(Offer& offer);
  void tellFailure(const Offer& offer, ucs_status_t status);
  void finishStaged(Offer& offer) noexcept;

  Port& port_;
  Helps& helps_;                                     // of the same payloads
  std::unordered_map<std::uint64_t, Offer> offers_;  // by the number of their announcement
  std::uint64_t last_number_ = 0;
  local::Claims claims_;
  std::vector<std::uint32_t> claimed_;  // by claim, its offers that are not over
  Turns turns_;                         // those that have something to send
  std::size_t flying_ = 0;
  std::uint64_t pieces_ended_ = 0;
};

}  // namespace ucxx::core
