// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/device_fetches.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/object_pool.h"
#include "core/bulk/fetch.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/channels.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/loop/loop.h"
#include "core/loop/sleeper.h"
#include "core/match/landing.h"
#include "core/request/device_copies.h"
#include "core/wire/wire.h"
#include "local/channel.h"
#include "local/peer_memory.h"
#include "ucp/device_memory.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// So many parts that this side has read are on their way to the device while it reads the next.
constexpr std::size_t kMostInFlight = 2;

bool mayGoByUcx(const IncomingPayloads& payloads, const Announcement& announcement,
                const void* buffer, std::size_t size) noexcept {
  return announcement.hasHandle() && size >= kLeastByUcx && payloads.mayFetchByUcx() &&
         ucp::placeOf(buffer).has_ipc_handle;
}

}  // namespace

DeviceWay deviceWayOf(const IncomingPayloads& payloads, const Announcement& announcement,
                      const void* buffer, std::size_t size, bool is_into_device) noexcept {
  if (announcement.isOnDevice()) {
    if (is_into_device && mayGoByUcx(payloads, announcement, buffer, size)) return DeviceWay::ByUcx;
    if (payloads.canReadStaged()) return DeviceWay::Staged;
    return is_into_device ? DeviceWay::Collected : DeviceWay::None;
  }
  if (!is_into_device) return DeviceWay::None;
  const bool is_read = announcement.hasAddress() && payloads.canRead(announcement.address, size);
  return is_read ? DeviceWay::Pulled : DeviceWay::Collected;
}

const char* toString(DeviceWay way) noexcept {
  switch (way) {
    case DeviceWay::None:
      return "in memory of the host";
    case DeviceWay::Staged:
      return "staged by its sender, in parts, and copied by the receiver";
    case DeviceWay::ByUcx:
      return "by UCX";
    case DeviceWay::Pulled:
      return "read by the receiver, in parts, and copied to its device";
    case DeviceWay::Collected:
      return "received into memory of the host, and copied to the device";
  }
  return "?";
}

struct DeviceFetches::Coming {
  explicit Coming(Sleeper& its_sleeper) noexcept : sleeper(its_sleeper) { sleeper.countInRings(1); }
  ~Coming() { sleeper.countInRings(-1); }
  Coming(const Coming&) = delete;
  Coming& operator=(const Coming&) = delete;

  Sleeper& sleeper;  // a thread that waits for it looks often
  std::uint64_t number = 0;
  std::uint64_t from = 0;  // where it is read
  std::byte* place = nullptr;
  std::size_t size = 0;
  std::size_t taken = 0;      // bytes that the sender is not asked for any more
  std::size_t in_flight = 0;  // copies to the device
  DeviceWay way = DeviceWay::None;
  bool is_into_device = false;
  bool begins_anew = false;  // in memory of the host, when those copies have ended
  ucs_status_t status = UCS_OK;
  Fetch* fetch = nullptr;  // null: it was told

  /// The sender still says something of it, as long as the link is up.
  bool isOwed() const noexcept {
    return way == DeviceWay::ByUcx || (way == DeviceWay::Staged && taken != size);
  }
};

/// A part on its way to the device.
struct DeviceFetches::PartCopy final : DeviceCopy {
  DeviceFetches* fetches = nullptr;
  Coming* coming = nullptr;

  static void free(PartCopy& copy) noexcept {
    copy.~PartCopy();
    base::PoolAllocator<PartCopy>().deallocate(&copy, 1);
  }
  static void ended(base::Completion& self, ucs_status_t status) {
    auto& copy = static_cast<PartCopy&>(self);
    DeviceFetches& its_fetches = *copy.fetches;
    Coming& its_coming = *copy.coming;
    free(copy);
    --its_coming.in_flight;
    if (its_coming.status == UCS_OK) its_coming.status = status;
    its_fetches.review(its_coming);
  }
};

void DeviceFetches::Gated::opened(base::Completion& self, ucs_status_t status) {
  auto& gated = static_cast<Gated&>(self);
  DeviceFetches& its_fetches = *gated.fetches;
  its_fetches.gated_.remove(gated);
  const Gated opened = std::move(gated);
  gated.~Gated();
  base::PoolAllocator<Gated>().deallocate(&gated, 1);
  its_fetches.port_.partEnded();
  if (opened.fetch == nullptr) return;
  if (status == UCS_OK)
    return its_fetches.payloads_.ask(*opened.fetch, opened.announcement, opened.buffer,
                                     opened.bytes);
  its_fetches.payloads_.dropBegun(opened.announcement);
  opened.fetch->done(*opened.fetch, status);
}

DeviceFetches::DeviceFetches(Port& port, IncomingPayloads& payloads) noexcept
    : port_(port), payloads_(payloads) {}

DeviceFetches::~DeviceFetches() = default;

void DeviceFetches::add(const Announcement& announcement, void* buffer, std::size_t size,
                        DeviceWay way, Fetch& fetch) {
  auto made = std::make_unique<Coming>(port_.loop.sleeper);
  made->number = announcement.number;
  made->from = announcement.hasAddress() ? announcement.address : 0;
  made->place = static_cast<std::byte*>(buffer);
  made->size = size;
  made->way = way;
  made->is_into_device = fetch.isIntoDevice(buffer);
  made->fetch = &fetch;
  Coming& coming = *made;
  coming_[announcement.number] = std::move(made);
  try {
    ask(coming);
  } catch (const std::bad_alloc&) {  // the caller fails the link
    coming_.erase(announcement.number);
    throw;
  }
}

DeviceFetches::Coming* DeviceFetches::find(std::uint64_t number) noexcept {
  const auto found = coming_.find(number);
  return found == coming_.end() ? nullptr : found->second.get();
}

void DeviceFetches::ask(Coming& coming) {
  switch (coming.way) {
    case DeviceWay::Staged:
      return port_.sendControl(MessageKind::Stage, coming.number);
    case DeviceWay::ByUcx:
      return port_.sendControl(MessageKind::FetchByUcx, coming.number);
    case DeviceWay::Pulled:
      return pull(coming);
    default:
      return collect(coming);
  }
}

void DeviceFetches::awaitGate(std::shared_ptr<CopyGate> gate, Fetch& fetch,
                              const Announcement& announcement, void* buffer, std::size_t size) {
  auto* const gated = new (base::PoolAllocator<Gated>().allocate(1)) Gated;
  gated->done = Gated::opened;
  gated->gate = std::move(gate);
  gated->fetches = this;
  gated->announcement = announcement;
  gated->buffer = buffer;
  gated->bytes = size;
  gated->fetch = &fetch;
  gated_.pushBack(*gated);
  ++port_.pending_parts;  // the link stays, whatever becomes of the fetch
  deviceCopiesOf(port_.loop).start(*gated);
}

/// The next parts. What cannot be read comes in pieces, from the beginning.
void DeviceFetches::pull(Coming& coming) noexcept {
  while (coming.taken != coming.size && coming.in_flight < kMostInFlight) {
    const std::size_t size = std::min(coming.size - coming.taken, kMostStaged);
    if (!take(coming, coming.from + coming.taken, size)) {
      coming.begins_anew = coming.status == UCS_OK;
      break;
    }
  }
  if (coming.taken == coming.size && coming.status == UCS_OK)
    port_.sendControl(MessageKind::Taken, coming.number);
  if (coming.in_flight == 0) review(coming);
}

/// Copies the next part, of `size` bytes, from the peer. False: it cannot.
bool DeviceFetches::take(Coming& coming, std::uint64_t address, std::size_t size) noexcept try {
  std::shared_ptr<std::byte> memory;
  if (coming.is_into_device) memory = landingMemory(size, false);
  std::byte* const to = memory != nullptr ? memory.get() : coming.place + coming.taken;
  if (!port_.local->memory().read(to, address, size, coming.size)) return false;
  // Only now: if the sender was there afterwards, what was read before was its payload.
  if (!port_.local->isPeerThere()) return stop(coming, UCS_ERR_CONNECTION_RESET), false;
  if (memory != nullptr) land(coming, std::move(memory), size);
  coming.taken += size;
  return true;
} catch (const std::bad_alloc&) {
  return stop(coming, UCS_ERR_NO_MEMORY), false;
}

/// The bytes of the next part are in `memory`.
void DeviceFetches::land(Coming& coming, std::shared_ptr<std::byte> memory, std::size_t size) {
  auto* const copy = new (base::PoolAllocator<PartCopy>().allocate(1)) PartCopy;
  copy->done = PartCopy::ended;
  copy->from = memory.get();
  copy->to = coming.place + coming.taken;
  copy->size = size;
  copy->is_to_device = coming.is_into_device;
  copy->held = std::move(memory);
  copy->fetches = this;
  copy->coming = &coming;
  ++coming.in_flight;
  deviceCopiesOf(port_.loop).start(*copy);
}

/// All of it comes into memory of the host first.
void DeviceFetches::collect(Coming& coming) {
  coming.way = DeviceWay::Collected;
  coming.begins_anew = false;
  coming.taken = 0;
  std::shared_ptr<std::byte> memory = landingMemory(coming.size, port_.channel == ChannelKind::Ucp);
  Fetch* const inner = Fetch::make(payloads_);
  if (inner == nullptr) throw std::bad_alloc();
  const auto& outer = *coming.fetch;
  inner->op = outer.op;
  inner->stream = outer.stream;
  inner->collected = coming.number;
  std::byte* const bytes = memory.get();
  inner->memory = std::move(memory);
  payloads_.askForPieces(coming.number, bytes, coming.size, *inner);
}

void DeviceFetches::collected(std::uint64_t number, std::shared_ptr<std::byte> memory,
                              ucs_status_t status) noexcept {
  Coming* const coming = find(number);
  if (coming == nullptr) return;
  try {
    if (status == UCS_OK) land(*coming, std::move(memory), coming->size);
    coming->taken = coming->size;
  } catch (const std::bad_alloc&) {
    status = UCS_ERR_NO_MEMORY;
  }
  if (status != UCS_OK) stop(*coming, status);
  review(*coming);
}

bool DeviceFetches::takeStaged(std::uint64_t number, std::uint64_t address,
                               std::uint64_t size) noexcept {
  Coming* const coming = find(number);
  if (coming == nullptr || coming->way != DeviceWay::Staged || coming->taken == coming->size)
    return false;
  if (size == 0) {
    const ucs_status_t status = statusFrom(address, UCS_ERR_IO_ERROR);
    if (status == kCannotStage && coming->taken == 0 && coming->status == UCS_OK) {
      coming->begins_anew = true;
      return review(*coming), true;
    }
    coming->taken = coming->size;
    stop(*coming, status == UCS_OK ? UCS_ERR_IO_ERROR : status);
    return review(*coming), true;
  }
  if (size != std::min(coming->size - coming->taken, kMostStaged)) return false;
  const bool is_taken = coming->status == UCS_OK && take(*coming, address, size);
  if (!is_taken) {
    const bool is_there = port_.local->isPeerThere();  // the first reason counts
    stop(*coming, is_there ? UCS_ERR_IO_ERROR : UCS_ERR_CONNECTION_RESET);
    coming->taken += size;
  }
  port_.sendControl(MessageKind::StagedTaken, number);
  return review(*coming), true;
}

bool DeviceFetches::takeByUcx(std::uint64_t number, void* announcement, std::size_t size) {
  Coming* const coming = find(number);
  if (coming == nullptr || coming->way != DeviceWay::ByUcx || size != coming->size) return false;
  Fetch* const fetch = coming->fetch;
  std::byte* const place = coming->place;
  coming_.erase(number);
  if (fetch == nullptr) return channelsOf(port_.loop).ucp().drop(announcement), true;
  const ucs_status_t status = channelsOf(port_.loop).ucp().fetch(announcement, place, size, *fetch);
  if (status != UCS_INPROGRESS) fetch->done(*fetch, status);
  return true;
}

bool DeviceFetches::refuseByUcx(std::uint64_t number) {
  Coming* const coming = find(number);
  if (coming == nullptr || coming->way != DeviceWay::ByUcx) return false;
  is_ucx_refused_ = true;
  coming->way = payloads_.canReadStaged() ? DeviceWay::Staged : DeviceWay::Collected;
  if (coming->fetch != nullptr) return ask(*coming), true;
  port_.sendControl(MessageKind::Drop, number);
  coming_.erase(number);
  return true;
}

/// `coming` ends with `status` when its copies have ended.
void DeviceFetches::stop(Coming& coming, ucs_status_t status) noexcept {
  if (coming.status == UCS_OK) coming.status = status;
}

/// Ends it, or goes on, if nothing is on its way to the device. It may be gone afterwards.
void DeviceFetches::review(Coming& coming) noexcept {
  if (coming.in_flight != 0) {
    if (coming.way == DeviceWay::Pulled && coming.status == UCS_OK && !coming.begins_anew &&
        coming.taken != coming.size)
      pull(coming);
    return;
  }
  const std::uint64_t number = coming.number;
  if (coming.status == UCS_OK && coming.taken != coming.size) {
    try {
      if (coming.begins_anew) return collect(coming);
      if (coming.way == DeviceWay::Pulled) return pull(coming);
      return;
    } catch (const std::bad_alloc&) {
      stop(coming, UCS_ERR_NO_MEMORY);
    }
  }
  const bool is_dropped = coming.way == DeviceWay::Pulled && coming.taken != coming.size;
  if (is_dropped) port_.sendControl(MessageKind::Drop, number);
  Fetch* const fetch = std::exchange(coming.fetch, nullptr);
  const ucs_status_t status = coming.status;
  if (!coming.isOwed() || has_ended_) coming_.erase(number);
  if (fetch != nullptr) fetch->done(*fetch, status);
}

/// The first one that is chosen among those whose fetch has not ended; or null.
template <class Chosen>
DeviceFetches::Gated* DeviceFetches::findGated(const Chosen& chosen) noexcept {
  Gated* gated = gated_.front();
  while (gated != nullptr && (gated->fetch == nullptr || !chosen(*gated->fetch)))
    gated = gated_.after(*gated);
  return gated;
}

void DeviceFetches::turnBack(Operation& op) noexcept {
  Gated* const gated = findGated([&](const Fetch& fetch) { return fetch.op == &op; });
  void* const place = gated == nullptr ? nullptr : placeOnHost(op, gated->bytes);
  if (place == nullptr) return;
  gated->buffer = place;
  if (gated->gate == nullptr) return;  // it has just opened, and is about to be told
  deviceCopiesOf(port_.loop).withdraw(*gated);
  Gated::opened(*gated, UCS_OK);
}

/// Their place is not touched yet.
void DeviceFetches::revokeGated(const std::function<bool(const Fetch&)>& chosen,
                                ucs_status_t status) {
  while (Gated* const gated = findGated(chosen)) {
    Fetch& fetch = *std::exchange(gated->fetch, nullptr);
    payloads_.dropBegun(gated->announcement);
    fetch.done(fetch, status);  // its callback may fetch
  }
}

void DeviceFetches::revoke(const std::function<bool(const Fetch&)>& chosen, ucs_status_t status) {
  revokeGated(chosen, status);
  for (auto next = coming_.begin(); next != coming_.end();) {
    Coming& coming = *next->second;
    const std::uint64_t number = coming.number;
    if (coming.fetch != nullptr && chosen(*coming.fetch)) {
      stop(coming, status);
      review(coming);  // its callback may fetch
    }
    next = coming_.upper_bound(number);
  }
}

void DeviceFetches::end(ucs_status_t status) noexcept {
  has_ended_ = true;
  revokeGated([](const Fetch&) { return true; }, status);
  for (auto next = coming_.begin(); next != coming_.end();) {
    Coming& coming = *next->second;
    const std::uint64_t number = coming.number;
    stop(coming, status);
    review(coming);
    next = coming_.upper_bound(number);
  }
}

}  // namespace ucxx::core
