// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/channel/channels.h"

#include <algorithm>

#include <ucxx/context.h>
#include <ucxx/exception.h>

#include "base/log.h"
#include "base/status.h"
#include "core/bulk/assembly.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/ucp_descriptor.h"
#include "core/loop/wake.h"
#include "core/match/inlet.h"
#include "core/meet/links.h"
#include "core/request/context_state.h"
#include "core/wire/wire.h"
#include "local/choices.h"
#include "local/hub.h"
#include "ucp/library.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

ucp::ThreadMode threadModeFor(const WorkerOptions& options) {
  if (options.single_thread) return ucp::ThreadMode::Single;
  return options.serialized ? ucp::ThreadMode::Serialized : ucp::ThreadMode::Multi;
}

}  // namespace

Channels::Channels(Loop& loop, std::shared_ptr<Context> context, base::Poller& poller)
    : loop_(loop), context_(std::move(context)), poller_(poller) {
  openHub();
}

Channels::~Channels() = default;

void Channels::abandonUcp() noexcept {
  loop_.carriers.ucp = nullptr;
  ucp_.release()->keep(context_);
}

void Channels::abandon() noexcept {
  (void)ucp_.release();
  (void)ucp_descriptor_.release();
  (void)hub_.release();
}

void Channels::close() noexcept {
  loop_.carriers = {};
  hub_.reset();
  ucp_descriptor_.reset();
  ucp_.reset();
}

ucp::Worker& Channels::ensureUcp() {
  if (ucp_ != nullptr) return *ucp_;
  if (isLocalOnly()) throw UnsupportedError("UCXX_LOCAL=only: this worker does not use UCX");
  auto worker =
      std::make_unique<ucp::Worker>(context_->state().ensureUcp(), threadModeFor(loop_.options),
                                    loop_.can_sleep, ucp::ChannelEvents{this, onUcpMessage});
  ucp_descriptor_ = std::make_unique<UcpDescriptor>(poller_, worker->eventFd());
  ucp_ = std::move(worker);
  loop_.carriers.ucp = ucp_.get();
  max_header_bytes_ = std::min(ucp_->maxHeaderBytes(), kMaxHeaderBytes);
  return *ucp_;
}

bool Channels::isLocalOnly() const noexcept {
  return context_->state().local_use == LocalUse::Only;
}

bool Channels::reachesDevices() const noexcept {
  return !ucp::mayHaveCuda() || context_->state().hasCudaSupport();
}

ucs_thread_mode_t Channels::threadMode() const {
  return std::min(static_cast<ucs_thread_mode_t>(threadModeFor(loop_.options)), ucp::mostThreads());
}

void Channels::onUcpMessage(void* self, std::span<const std::byte> bytes,
                            const ucp::Payload& payload) {
  auto& channels = *static_cast<Channels*>(self);
  const Loop& loop = channels.loop_;
  const std::optional<WireHeader> header = readHeader(bytes);
  Link* link = header ? linksOf(loop).named(header->link) : nullptr;
  if (link == nullptr || !link->takesFromUcx(header->kind)) {
    channels.loop_.counters.dropped_messages.add();
    if (payload.announcement != nullptr) channels.ucp_->drop(payload.announcement);
    if (link != nullptr) link->fail(UCS_ERR_INVALID_PARAM);
    return;
  }
  link->onMessage(*header, bytes.subspan(sizeof(WireHeader)), payload);
}

void Channels::openHub() {
  const LocalUse use = context_->state().local_use;
  if (use == LocalUse::Off) {
    why_not_local_ = "UCXX_LOCAL=off";
    return;
  }
  try {
    hub_ = std::make_unique<local::Hub>(poller_, localEvents());
    loop_.carriers.hub = hub_.get();
  } catch (const Error& error) {
    if (use == LocalUse::Only)
      base::throwStatus(error.status(), fmt::format("UCXX_LOCAL=only: {}", error.what()));
    base::log(LogLevel::Warn, "worker", "no local channel: {}", error.what());
    why_not_local_ = fmt::format("no local channel: {}", error.what());
  }
}

local::Events Channels::localEvents() {
  local::Events events;
  events.owner = this;
  events.onMessage = [](void* self, void* context, std::span<const std::byte> header,
                        std::span<const std::byte> payload) {
    Link& link = *static_cast<Link*>(context);
    if (link.takeAtOnce(header, payload)) [[likely]]
      return payload.size();
    return static_cast<Channels*>(self)->onLocalMessage(link, header, payload);
  };
  events.onBroken = [](void*, void* link) {
    static_cast<Link*>(link)->fail(UCS_ERR_INVALID_PARAM);
  };
  events.onDeath = [](void* self, void* link) {
    linksOf(static_cast<Channels*>(self)->loop_)
        .onLost(*static_cast<Link*>(link), UCS_ERR_CONNECTION_RESET);
  };
  events.hasSleepers = [](void* self) {
    return static_cast<Channels*>(self)->loop_.wake.hasWaiters();
  };
  return events;
}

std::size_t Channels::onLocalMessage(Link& link, std::span<const std::byte> header,
                                     std::span<const std::byte> payload) {
  loop_.needsRound();
  const bool was_begun = link.assembly().isActive();
  if (!link.takePart(header, payload)) onOtherMessage(link, header, payload);
  link.noteUsual();
  // How much counts before posts have their turn: nothing of fragments that are followed by others,
  // which have their place; behind the last one the receiver may post at once.
  if (link.assembly().isActive()) return 0;
  return was_begun ? local::choices::kBytesTakenAtOnce : payload.size();
}

void Channels::onOtherMessage(Link& link, std::span<const std::byte> header,
                              std::span<const std::byte> payload) {
  // What follows the fixed part of a header is parsed, and the peer could change it meanwhile.
  const std::optional<WireHeader> fixed = readHeader(header);
  if (!fixed || header.size() > kMaxHeaderBytes) return link.fail(UCS_ERR_INVALID_PARAM);
  const auto prologue = header.subspan(sizeof(WireHeader));
  if (prologue.empty())
    return link.onMessage(*fixed, {}, {payload.data(), payload.size(), nullptr});
  try {
    local_header_.assign(prologue.begin(), prologue.end());
  } catch (const std::bad_alloc&) {
    return link.fail(UCS_ERR_NO_MEMORY);
  }
  link.onMessage(*fixed, local_header_, {payload.data(), payload.size(), nullptr});
}

}  // namespace ucxx::core
