// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/ucx_beside.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/id128_format.h"
#include "base/log.h"
#include "base/phase.h"
#include "base/phases.h"
#include "base/status.h"
#include "core/bulk/offers.h"
#include "core/channel/incoming.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/meet/links.h"
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

void UcxBeside::send(std::uint64_t number) {
  if (link_.ucp != nullptr) return offers_.sendByUcx(number);
  waiting_.push_back(number);
  ask();
}

void UcxBeside::ask() {
  if (asked_) return;
  try {
    const std::vector<std::byte>& address = ownAddress(link_.loop);
    asked_ = true;
    link_.sendControl(link_.headerFor(MessageKind::UcxAsk, {}, 0, address.size()), address);
    base::reached(base::Phase::UcxAsked);
  } catch (const Error& error) {
    giveUp(error.what());
  } catch (const std::bad_alloc&) {
    giveUp("no memory");
  }
}

void UcxBeside::onAsk(const Incoming& message) {
  const std::vector<std::byte> peers = addressIn(message);
  if (link_.ucp != nullptr || peers.size() > kMostAddressBytes)
    return link_.fail(UCS_ERR_INVALID_PARAM);
  try {
    const std::vector<std::byte>& own = ownAddress(link_.loop);
    if (!linksOf(link_.loop).isReadable(peers)) return link_.fail(UCS_ERR_INVALID_PARAM);
    meet(peers);
    link_.sendControl(link_.headerFor(MessageKind::UcxAnswer, {}, 0, own.size()), own);
    base::reached(base::Phase::UcxAnswered);
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "worker {} cannot send by UCX: {}", link_.peer, error.what());
    link_.sendControl(link_.headerFor(MessageKind::UcxAnswer, {}, argumentOf(error.status()), 0));
  }
}

void UcxBeside::onAnswer(const Incoming& message) {
  if (!std::exchange(asked_, false)) return link_.fail(UCS_ERR_INVALID_PARAM);
  if (link_.ucp != nullptr) return;  // the question of the peer has crossed with that of this side
  const std::vector<std::byte> peers = addressIn(message);
  if (peers.empty()) {
    const ucs_status_t status = statusFrom(message.header.argument, UCS_ERR_UNREACHABLE);
    return giveUp(fmt::format("the peer refused: {}", ucp::statusText(status)));
  }
  try {
    if (peers.size() > kMostAddressBytes || !linksOf(link_.loop).isReadable(peers))
      return link_.fail(UCS_ERR_INVALID_PARAM);
    meet(peers);
  } catch (const Error& error) {  // the peer relies on it: it may send at once
    link_.failure = fmt::format(" ({})", error.what());
    link_.fail(UCS_ERR_UNREACHABLE);
  }
}

/// What waits for it goes on.
void UcxBeside::meet(std::span<const std::byte> address) {
  link_.makeUcp(address);
  base::log(LogLevel::Debug, "link", "to worker {}: from device to device by UCX", link_.peer);
  for (const std::uint64_t number : std::exchange(waiting_, {})) offers_.sendByUcx(number);
}

/// What waits for it is asked for in another way.
void UcxBeside::giveUp(std::string_view why) {
  base::log(LogLevel::Warn, "link", "nothing goes by UCX to worker {}: {}", link_.peer, why);
  for (const std::uint64_t number : std::exchange(waiting_, {})) {
    offers_.takeBackFromUcx(number);
    link_.sendControl(MessageKind::NotByUcx, number);
  }
}

}  // namespace ucxx::core
