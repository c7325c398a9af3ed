// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// UCX beside the local channel: it carries what lies in the memory of devices. A link makes it when
// such a message is to be sent for the first time. One side asks, by the ring, and says its address
// of UCX; the other makes its end and answers with its own. Whoever gets a question while it waits
// for an answer need not wait any longer: the question says as much.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/id128_format.h"
#include "base/log.h"
#include "base/phase.h"
#include "base/status.h"
#include "core/loop.h"
#include "core/transfers.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

/// Of an address, as at the door.
constexpr std::size_t kMostAddressBytes = door::Limits().address_bytes;

/// Copied: it lies in the ring, where the peer could change it.
std::vector<std::byte> addressIn(const Incoming& message) {
  const auto* first = static_cast<const std::byte*>(message.bytes);
  return {first, first + message.size};
}

const std::vector<std::byte>& ownAddress(Loop& loop) {
  const std::vector<std::byte>& address = loop.links().readyToMeetByUcx();
  if (address.size() > kMostAddressBytes)
    base::throwStatus(UCS_ERR_EXCEEDS_LIMIT, "the address of UCX is too long");
  return address;
}

}  // namespace

bool comesFromDevice(const Operation& op) noexcept {
  if (op.kind != OperationKind::MultiSend) return op.on_device;
  const auto& frames = static_cast<const MultiSendExtra&>(*op.extra).frames;
  return std::any_of(frames.begin(), frames.end(),
                     [](const FrameInfo& frame) { return frame.cuda; });
}

/// Throws what UCX throws.
void Link::makeUcp(std::span<const std::byte> address) {
  const ucp::Endpoint::Failure failed{
      this, [](void* self, ucs_status_t status) { static_cast<Link*>(self)->ucpFailed(status); }};
  ucp = std::make_unique<ucp::Endpoint>(loop.ensureUcp(), address, failed);
  loop.links().connect(*this);
}

/// What is in the ring came before: it is read first.
void Link::ucpFailed(ucs_status_t status) noexcept {
  local == nullptr ? fail(status) : loop.links().onUcxLost(*this, status);
}

bool Link::takesFromUcx(MessageKind kind) const noexcept {
  if (local == nullptr) return true;
  const bool is_carried = kind == MessageKind::Tag || kind == MessageKind::Am ||
                          kind == MessageKind::Stream || kind == MessageKind::Fragment ||
                          kind == MessageKind::MultiFrame;
  return is_carried && (ucp != nullptr || asked_for_ucx_);
}

bool Link::lacksUcx(const Operation& op) const noexcept {
  return local != nullptr && ucp == nullptr && comesFromDevice(op);
}

void Link::askForUcx() {
  if (asked_for_ucx_) return;
  try {
    const std::vector<std::byte>& address = ownAddress(loop);
    asked_for_ucx_ = true;
    sendControl(headerFor(MessageKind::UcxAsk, nullptr, 0, address.size()), address);
    base::reached(base::Phase::UcxAsked);
  } catch (const Error& error) {
    noUcx(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    noUcx(UCS_ERR_NO_MEMORY, "no memory");
  }
}

void Link::onUcxAsk(const Incoming& message) {
  const std::vector<std::byte> peers = addressIn(message);
  if (ucp != nullptr || peers.size() > kMostAddressBytes) return fail(UCS_ERR_INVALID_PARAM);
  try {
    const std::vector<std::byte>& own = ownAddress(loop);
    if (!loop.links().isReadable(peers)) return fail(UCS_ERR_INVALID_PARAM);
    meetByUcx(peers);
    sendControl(headerFor(MessageKind::UcxAnswer, nullptr, 0, own.size()), own);
    base::reached(base::Phase::UcxAnswered);
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "worker {} cannot send from devices: {}", peer, error.what());
    sendControl(headerFor(MessageKind::UcxAnswer, nullptr, argumentOf(error.status()), 0));
  }
}

void Link::onUcxAnswer(const Incoming& message) {
  if (!std::exchange(asked_for_ucx_, false)) return fail(UCS_ERR_INVALID_PARAM);
  if (ucp != nullptr) return;  // its own question has crossed with ours
  const std::vector<std::byte> peers = addressIn(message);
  if (peers.empty()) {
    const ucs_status_t status = statusFrom(message.header.argument, UCS_ERR_UNREACHABLE);
    return noUcx(status == UCS_OK ? UCS_ERR_UNREACHABLE : status, "the peer refused");
  }
  try {
    if (peers.size() > kMostAddressBytes || !loop.links().isReadable(peers))
      return fail(UCS_ERR_INVALID_PARAM);
    meetByUcx(peers);
  } catch (const Error& error) {  // the peer relies on it: it may send at once
    failure = fmt::format(" ({})", error.what());
    fail(UCS_ERR_UNREACHABLE);
  }
}

/// What waits for it goes on.
void Link::meetByUcx(std::span<const std::byte> address) {
  makeUcp(address);
  chooseFragments();
  base::log(LogLevel::Debug, "link", "to worker {}: device memory goes by UCX", peer);
  loop.reviewLinks();
}

/// What waits for it ends, in its turn.
void Link::noUcx(ucs_status_t status, std::string_view why) {
  base::log(LogLevel::Warn, "link", "nothing goes from devices to worker {}: {}", peer, why);
  no_ucx_ = status;
  last_refused_ = loop.lastOrder();
  loop.reviewLinks();
}

}  // namespace ucxx::core
