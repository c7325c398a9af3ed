// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/carrier.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/list.h"
#include "core/bulk/device_fetches.h"
#include "core/channel/channels.h"
#include "core/channel/credit.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/match/transfers.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/way.h"
#include "ucp/device_memory.h"

namespace ucxx::core {
namespace {

/// What is sent at once from the memory of a device, while other sends of the endpoint are under
/// way: announced ones run beside each other, and 32 and 64 KiB at once take 5 and 10 times as long
/// then.
constexpr std::size_t kMostFromDeviceBesideOthers = 8 << 10;

/// Other sends of its endpoint have not ended.
bool hasOthersBeside(const Operation& op) noexcept {
  const PendingList& sends = op.endpoint->sends;
  return sends.front() != &op || sends.after(op) != nullptr;
}

const Fragments& fragmentsFor(const Port& port, const Operation& op) noexcept {
  return op.on_device && port.local == nullptr ? port.deviceFragments() : port.fragments();
}

/// Whether `op` goes through the bulk ring, if it is not announced. What may be recalled is copied
/// where it has to wait, and goes in records.
bool isForBulk(const Port& port, const Operation& op) noexcept {
  return !op.on_device && isContiguous(op) && !hasFramesApart(op) &&
         port.fragmentWayOf(op.length).has_value();
}

/// What is longer is announced.
std::size_t mostEager(const Port& port, const Operation& op) noexcept {
  const Fragments& fragments = fragmentsFor(port, op);
  if (!isContiguous(op)) return fragments.whole;
  const std::size_t most = isForBulk(port, op) ? local::choices::kMostAtOnce : fragments.most;
  return op.kind == OperationKind::AmSend ? std::min(kFragmentedAmBytes, most) : most;
}

}  // namespace

std::size_t fragmentOf(const Port& port, const Operation& op) noexcept {
  return isForBulk(port, op) ? local::choices::fragmentOf(op.length) : fragmentsFor(port, op).each;
}

bool isEager(const Port& port, const SendCredit& credit, const Operation& op) noexcept {
  if (op.synchronous || (op.on_device && port.local != nullptr && op.length != 0)) return false;
  if (op.on_device && op.length > kMostFromDeviceBesideOthers && hasOthersBeside(op)) return false;
  if (!credit.covers(costOf(op.length, prologueBytesOf(op)))) return false;
  if (op.length > mostEager(port, op)) return false;
  return !isForBulk(port, op) || mayGoInBulk(port, op.buffer, op.length);
}

bool mayGoInBulk(const Port& port, const void* buffer, std::size_t size) noexcept {
  namespace choices = local::choices;
  return size <= choices::kMostAtOnce && port.local->wantedByPeer(size) != Way::Copied &&
         !(size > choices::kMostOfLibraryAtOnce && port.local->isShared(buffer, size)) &&
         port.local->hasBulkRoomFor(size);
}

bool isAnnouncedByUcx(const Port& port, const Operation& op) noexcept {
  return op.announced &&
         ((op.on_device && port.local == nullptr) || !port.fragments().own_announcements);
}

Announces announcesOf(const Loop& loop, std::span<const ucp_dt_iov_t> blocks) noexcept {
  std::size_t size = 0;
  for (const ucp_dt_iov_t& block : blocks) size += block.length;
  const auto has_handle = [](const ucp_dt_iov_t& block) {
    return block.length == 0 || ucp::placeOf(block.buffer).has_ipc_handle;
  };
  const bool by_ucx = size >= kLeastByUcx && !channelsOf(loop).isLocalOnly() &&
                      std::all_of(blocks.begin(), blocks.end(), has_handle) &&
                      channelsOf(loop).reachesDevices();
  return by_ucx ? Announces::OnDeviceByHandle : Announces::OnDevice;
}

}  // namespace ucxx::core
