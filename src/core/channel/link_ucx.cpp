// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// UCX beside the local channel: it carries payloads from device to device, where it can map the
// one's memory in the other's process. A link makes it when a receiver asks for such a payload for
// the first time. One side asks, by the ring, and says its address of UCX; the other makes its end
// and answers with its own. Whoever gets a question while it waits for an answer need not wait any
// longer: the question says as much.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/id128_format.h"
#include "base/log.h"
#include "base/phase.h"
#include "base/phases.h"
#include "base/status.h"
#include "core/bulk/offers.h"
#include "core/channel/channels.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/match/transfers.h"
#include "core/meet/links.h"
#include "core/request/operation.h"
#include "core/wire/wire.h"
#include "door/hello.h"
#include "ucp/library.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// An address of UCX has so many bytes at most, as at the door.
constexpr std::size_t kMostAddressBytes = door::Limits().address_bytes;

/// Copied: it lies in the ring, where the peer could change it.
std::vector<std::byte> addressIn(const Incoming& message) {
  const auto* first = static_cast<const std::byte*>(message.bytes);
  return {first, first + message.size};
}

const std::vector<std::byte>& ownAddress(Loop& loop) {
  const std::vector<std::byte>& address = linksOf(loop).readyToMeetByUcx();
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
  ucp = std::make_unique<ucp::Endpoint>(channelsOf(loop).ensureUcp(), address, failed);
  linksOf(loop).connect(*this);
}

bool Link::takesFromUcx(MessageKind kind) const noexcept {
  const bool is_beside = kind == MessageKind::UcxPayload;
  return local == nullptr ? !is_beside : is_beside && (ucp != nullptr || asked_for_ucx_);
}

bool Link::sendByUcx(std::uint64_t number) {
  if (ucp != nullptr) return offers_.sendByUcx(number), true;
  wait_for_ucx_.push_back(number);
  askForUcx();
  return true;
}

void Link::askForUcx() {
  if (asked_for_ucx_) return;
  try {
    const std::vector<std::byte>& address = ownAddress(loop);
    asked_for_ucx_ = true;
    sendControl(headerFor(MessageKind::UcxAsk, {}, 0, address.size()), address);
    base::reached(base::Phase::UcxAsked);
  } catch (const Error& error) {
    noUcx(error.what());
  } catch (const std::bad_alloc&) {
    noUcx("no memory");
  }
}

void Link::onUcxAsk(const Incoming& message) {
  const std::vector<std::byte> peers = addressIn(message);
  if (ucp != nullptr || peers.size() > kMostAddressBytes) return fail(UCS_ERR_INVALID_PARAM);
  try {
    const std::vector<std::byte>& own = ownAddress(loop);
    if (!linksOf(loop).isReadable(peers)) return fail(UCS_ERR_INVALID_PARAM);
    meetByUcx(peers);
    sendControl(headerFor(MessageKind::UcxAnswer, {}, 0, own.size()), own);
    base::reached(base::Phase::UcxAnswered);
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "worker {} cannot send by UCX: {}", peer, error.what());
    sendControl(headerFor(MessageKind::UcxAnswer, {}, argumentOf(error.status()), 0));
  }
}

void Link::onUcxAnswer(const Incoming& message) {
  if (!std::exchange(asked_for_ucx_, false)) return fail(UCS_ERR_INVALID_PARAM);
  if (ucp != nullptr) return;  // its own question has crossed with ours
  const std::vector<std::byte> peers = addressIn(message);
  if (peers.empty()) {
    const ucs_status_t status = statusFrom(message.header.argument, UCS_ERR_UNREACHABLE);
    return noUcx(fmt::format("the peer refused: {}", ucp::statusText(status)));
  }
  try {
    if (peers.size() > kMostAddressBytes || !linksOf(loop).isReadable(peers))
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
  base::log(LogLevel::Debug, "link", "to worker {}: from device to device by UCX", peer);
  for (const std::uint64_t number : std::exchange(wait_for_ucx_, {})) offers_.sendByUcx(number);
}

/// What waits for it is asked for in another way.
void Link::noUcx(std::string_view why) {
  base::log(LogLevel::Warn, "link", "nothing goes by UCX to worker {}: {}", peer, why);
  for (const std::uint64_t number : std::exchange(wait_for_ucx_, {})) {
    offers_.takeBackFromUcx(number);
    sendControl(MessageKind::NotByUcx, number);
  }
}

}  // namespace ucxx::core
