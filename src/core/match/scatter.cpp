// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Messages of several blocks.
//
// Tag receives into several: a message comes into one block first, whatever its way, and is
// copied when it is whole: so each way has one place to write to, and nothing is written to the
// user's blocks before the message is known to be whole. A receive of one block in memory of a
// device is one of these.

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <ucxx/buffer.h>

#include "core/match/inbox.h"
#include "core/match/landing.h"
#include "core/match/transfers.h"
#include "core/request/buffer_checks.h"
#include "core/request/host_memory.h"
#include "core/request/operation.h"
#include "core/request/outcome.h"
#include "core/request/posted_receive.h"

namespace ucxx::core {
namespace {

ScatterExtra& extraOf(Operation& op) noexcept { return static_cast<ScatterExtra&>(*op.extra); }

std::vector<const void*> buffersOf(const std::vector<ucp_dt_iov_t>& blocks) {
  std::vector<const void*> all;
  for (const ucp_dt_iov_t& block : blocks) all.push_back(block.buffer);
  return all;
}

}  // namespace

std::vector<const void*> GatherExtra::buffers() const { return buffersOf(iov); }
std::vector<const void*> ScatterExtra::buffers() const { return buffersOf(iov); }

std::unique_ptr<OperationExtra> GatherExtra::again() const {
  auto extra = std::make_unique<GatherExtra>();
  extra->iov = iov;
  return extra;
}

std::unique_ptr<OperationExtra> ScatterExtra::again() const {
  auto extra = std::make_unique<ScatterExtra>();
  extra->iov = iov;
  return extra;
}

bool gather(Operation& op) noexcept {
  auto& extra = static_cast<GatherExtra&>(*op.extra);
  try {
    extra.gathered.reserve(op.length);
  } catch (const std::bad_alloc&) {
    return false;
  }
  for (const ucp_dt_iov_t& block : extra.iov) {
    const auto* first = static_cast<const std::byte*>(block.buffer);
    extra.gathered.insert(extra.gathered.end(), first, first + block.length);
  }
  op.buffer = extra.gathered.data();
  return true;
}

void setBlocks(Operation& op, Blocks&& blocks, std::uint64_t tag, std::uint64_t mask) {
  auto extra = std::make_unique<ScatterExtra>();
  extra->iov = std::move(blocks.iov);
  extra->on_device = std::move(blocks.on_device);
  if (!extra->on_device.empty()) extra->landing.setCaller();
  op.extra = std::move(extra);
  op.length = blocks.length;
  op.tag = tag;
  op.mask = mask;
}

ucs_status_t prepareScatter(Operation& op, std::size_t size, const Source& source) {
  if (size > op.length) return UCS_ERR_MESSAGE_TRUNCATED;
  if (size == 0) return UCS_OK;
  ScatterExtra& extra = extraOf(op);
  const bool lands = !extra.on_device.empty();
  if (lands && source.reaches_devices && extra.iov.size() == 1) {
    op.buffer = extra.iov.front().buffer;
    return UCS_OK;
  }
  try {
    extra.staging = lands ? landingMemory(size, source.is_far)
                          : bytesOf(makeReceiveBuffer(size, source.is_far));
  } catch (const std::bad_alloc&) {
    return UCS_ERR_NO_MEMORY;
  }
  op.buffer = extra.staging.get();
  return UCS_OK;
}

namespace {

/// From the memory into which it came. What lies in memory of a device is still to land.
void scatter(ScatterExtra& extra, const std::byte* bytes, std::size_t size) {
  for (std::size_t i = 0; i < extra.iov.size() && size != 0; ++i) {
    const ucp_dt_iov_t& block = extra.iov[i];
    const std::size_t count = std::min(block.length, size);
    if (!extra.on_device.empty() && extra.on_device[i] && count != 0)
      extra.landing.add(block.buffer, bytes, count, extra.staging);
    else if (count != 0)
      std::memcpy(block.buffer, bytes, count);
    bytes += count;
    size -= count;
  }
}

ucs_status_t scatterStaged(ScatterExtra& extra, std::size_t size) noexcept try {
  scatter(extra, extra.staging.get(), size);
  if (extra.on_device.empty()) extra.staging = nullptr;
  return UCS_OK;
} catch (const std::bad_alloc&) {
  return UCS_ERR_NO_MEMORY;
}

}  // namespace

void scatterReceived(Operation& op, ucs_status_t status) {
  ScatterExtra& extra = extraOf(op);
  // Nobody wants it: it goes back, out of the memory where it is.
  const bool goes_back = !extra.on_device.empty() && op.outcome.isDisowned();
  if (status == UCS_OK && extra.staging != nullptr && !goes_back)
    status = scatterStaged(extra, op.received);
  if (status == UCS_OK && !extra.landing.isEmpty()) return extra.landing.start(op);
  extra.landing.drop();
  if (status != UCS_OK) extra.staging = nullptr;
  status == kTakenBack ? goOnWaiting(inboxOf(*op.loop).tags, op) : landed(op, status);
}

void takeScattered(Operation& op, const void* bytes, std::size_t size) {
  ScatterExtra& extra = extraOf(op);
  if (extra.on_device.empty()) {
    scatter(extra, static_cast<const std::byte*>(bytes), size);
    return complete(op, UCS_OK);
  }
  const ucs_status_t status = prepareScatter(op, size, {});
  if (status == UCS_OK && size != 0) std::memcpy(op.buffer, bytes, size);
  scatterReceived(op, status);
}

bool isScattered(const Operation& op) noexcept {
  const auto& extra = static_cast<const ScatterExtra&>(*op.extra);
  return !extra.on_device.empty() && extra.staging == nullptr && op.received != 0;
}

void gatherScattered(const Operation& op, std::byte* to, std::size_t size) noexcept {
  const auto& extra = static_cast<const ScatterExtra&>(*op.extra);
  if (extra.staging != nullptr) {
    std::memcpy(to, extra.staging.get(), size);
    return;
  }
  for (const ucp_dt_iov_t& block : extra.iov) {
    const std::size_t count = std::min(block.length, size);
    if (count != 0) std::memcpy(to, block.buffer, count);
    to += count;
    size -= count;
  }
}

}  // namespace ucxx::core
