// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What carries a message of a link, in how many parts, and who announces it.

#include <algorithm>
#include <cstddef>
#include <new>

#include "base/completion.h"
#include "base/list.h"
#include "base/object_pool.h"
#include "core/bulk/offers.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/credit.h"
#include "core/link/endpoint_state.h"
#include "core/link/link.h"
#include "core/match/transfers.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/way.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// What goes out in fragments, above that it is announced. Over TCP nothing is gained by UCX's
/// rendezvous, which copies as often; with 16 KiB, UCX sends straight from the buffer and receives
/// in one read (12 and 20 KiB take 1.2 and 1.7 times as long). Other transports fetch without the
/// receiver's processor.
constexpr Fragments kTcpFragments{Offers::kPieceBytes, 4 << 20, 32 << 10, true};
constexpr Fragments kOtherFragments{32 << 10, 256 << 10, 32 << 10, false};
/// From the memory of a device, what is larger is announced on every transport: UCX sends eager
/// messages in pieces of 8 KiB, each after a copy that waits for the device, about 15 us. On an
/// H200 its rendezvous takes 170 us, but 16 where several are under way (docs/performance/gpu.md).
constexpr std::size_t kMostFromDevice = 64 << 10;
/// The limit is lower where other sends of the endpoint are under way, since announced ones run
/// beside each other: 32 and 64 KiB at once take 5 and 10 times as long then.
constexpr std::size_t kMostFromDeviceBesideOthers = 8 << 10;
/// On the local channel, what has no place in the bulk ring goes in one record, or is announced.
static_assert(local::choices::kPiece == Offers::kPieceBytes, "announced ones come in such pieces");
static_assert(local::choices::kPiece <= local::choices::kMostFragment, "each piece is a fragment");
constexpr Fragments kLocalFragments{local::choices::kPiece, local::choices::kPiece,
                                    local::choices::kPiece, true};

Fragments fragmentsOver(const ucp::Endpoint& endpoint) {
  const auto transports = endpoint.transports();
  const bool tcp = !transports.empty() &&
                   std::all_of(transports.begin(), transports.end(),
                               [](const auto& transport) { return transport.first == "tcp"; });
  return tcp ? kTcpFragments : kOtherFragments;
}

}  // namespace

const std::vector<ucp_dt_iov_t>* iovOf(const Operation& op) noexcept {
  const bool may = op.kind == OperationKind::AmSend || op.kind == OperationKind::TagSend;
  if (!may || op.extra == nullptr) return nullptr;
  const auto& iov = static_cast<const GatherExtra&>(*op.extra).iov;
  return iov.empty() ? nullptr : &iov;
}

std::size_t prologueBytesOf(const Operation& op) noexcept {
  if (op.kind != OperationKind::AmSend) return 0;
  return prologueBytes(static_cast<const AmSendExtra&>(*op.extra).prologue);
}

bool isContiguous(const Operation& op) noexcept {
  return op.kind != OperationKind::StreamSend && iovOf(op) == nullptr;
}

void Link::chooseFragments() {
  if (ucp != nullptr) device_fragments_ = fragmentsOver(*ucp);
  fragments_ = local != nullptr ? kLocalFragments : device_fragments_;
  device_fragments_.most = std::min(device_fragments_.most, kMostFromDevice);
}

const Fragments& Link::fragmentsFor(const Operation& op) const noexcept {
  return op.on_device && local == nullptr ? device_fragments_ : fragments_;
}

/// What is longer is announced.
std::size_t Link::mostEager(const Operation& op) const noexcept {
  const Fragments& fragments = fragmentsFor(op);
  if (!isContiguous(op)) return fragments.whole;
  const std::size_t most = isForBulk(op) ? local::choices::kMostAtOnce : fragments.most;
  return op.kind == OperationKind::AmSend ? std::min(kFragmentedAmBytes, most) : most;
}

/// Whether `op` goes through the bulk ring, if it is not announced. What may be recalled is copied
/// where it has to wait, and goes in records.
bool Link::isForBulk(const Operation& op) const noexcept {
  return !op.on_device && isContiguous(op) && !hasFramesApart(op) &&
         fragmentWayOf(op.length).has_value();
}

/// Bytes of each fragment of `op`, but for the last.
std::size_t Link::fragmentOf(const Operation& op) const noexcept {
  return isForBulk(op) ? local::choices::fragmentOf(op.length) : fragmentsFor(op).each;
}

namespace {

/// Other sends of its endpoint have not ended.
bool hasOthersBeside(const Operation& op) noexcept {
  const PendingList& sends = op.endpoint->sends;
  return sends.front() != &op || sends.after(op) != nullptr;
}

}  // namespace

/// Whether `op` goes at once.
bool Link::isEager(const Operation& op) noexcept {
  if (op.synchronous || (op.on_device && local != nullptr && op.length != 0)) return false;
  if (op.on_device && op.length > kMostFromDeviceBesideOthers && hasOthersBeside(op)) return false;
  if (!send_credit_.covers(costOf(op.length, prologueBytesOf(op)))) return false;
  if (op.length > mostEager(op)) return false;
  return !isForBulk(op) || mayGoInBulk(op.buffer, op.length);
}

/// Without being announced, as its receiver wants it.
bool Link::mayGoInBulk(const void* buffer, std::size_t size) noexcept {
  namespace choices = local::choices;
  return size <= choices::kMostAtOnce && local->wantedByPeer(size) != Way::Copied &&
         !(size > choices::kMostOfLibraryAtOnce && local->isShared(buffer, size)) &&
         local->hasBulkRoomFor(size);
}

/// UCX's rendezvous moves what the processor cannot.
bool Link::isAnnouncedByUcx(const Operation& op) const noexcept {
  return op.announced && ((op.on_device && local == nullptr) || !fragments_.own_announcements);
}

Carrier Link::carrierOf(const Operation& op) const noexcept {
  return isAnnouncedByUcx(op) ? Carrier::UcxAnnounced : Carrier::Channel;
}

}  // namespace ucxx::core
