// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Messages of several blocks.
//
// Tag receives into several: a message comes into one block first, whatever its way, and is
// copied when it is whole: so each way has one place to write to, and nothing is written to the
// user's blocks before the message is known to be whole.

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <ucxx/buffer.h>

#include "core/host_memory.h"
#include "core/loop.h"
#include "core/transfers.h"

namespace ucxx::core {
namespace {

ScatterExtra& extraOf(Operation& op) noexcept { return static_cast<ScatterExtra&>(*op.extra); }

}  // namespace

namespace {

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

void setBlocks(Operation& op, std::vector<ucp_dt_iov_t>&& iov, std::size_t length,
               std::uint64_t tag, std::uint64_t mask) {
  auto extra = std::make_unique<ScatterExtra>();
  extra->iov = std::move(iov);
  op.extra = std::move(extra);
  op.length = length;
  op.tag = tag;
  op.mask = mask;
}

ucs_status_t prepareScatter(Operation& op, std::size_t size, bool is_from_far) {
  if (size > op.length) return UCS_ERR_MESSAGE_TRUNCATED;
  if (size == 0) return UCS_OK;
  try {
    extraOf(op).staging = makeReceiveBuffer(size, is_from_far);
  } catch (const std::bad_alloc&) {
    return UCS_ERR_NO_MEMORY;
  }
  op.buffer = extraOf(op).staging->data();
  return UCS_OK;
}

void scatterReceived(Operation& op, ucs_status_t status) {
  if (status == UCS_OK) scatter(op, op.buffer, op.received);
  extraOf(op).staging = nullptr;
  status == kTakenBack ? goOnWaiting(op.loop->tags, op) : complete(op, status);
}

void scatter(Operation& op, const void* bytes, std::size_t size) noexcept {
  const auto* next = static_cast<const std::byte*>(bytes);
  for (const ucp_dt_iov_t& block : extraOf(op).iov) {
    const std::size_t count = std::min(block.length, size);
    if (count != 0) std::memcpy(block.buffer, next, count);
    next += count;
    size -= count;
  }
}

}  // namespace ucxx::core
