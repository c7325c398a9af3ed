// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How a message would go, for people: the same limits that link_send.cpp and link_receive.cpp look
// at, in the same order.

#include "core/insight/explain.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/explanation.h>
#include <ucxx/worker.h>

#include "base/id128.h"
#include "core/bulk/device_fetches.h"
#include "core/bulk/help_terms.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/channels.h"
#include "core/channel/credit.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/calling.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/loop/posts.h"
#include "core/match/endpoint_state.h"
#include "core/match/inlet.h"
#include "core/match/transfers.h"
#include "core/request/buffer_checks.h"
#include "core/request/context_state.h"
#include "core/request/endpoint_core.h"
#include "core/wire/wire.h"
#include "door/door.h"
#include "local/channel.h"
#include "local/choices.h"
#include "local/peer_memory.h"
#include "local/ring.h"
#include "local/way.h"
#include "ucp/library.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

constexpr const char* kWithoutReceive =
    "no receive: fetched after a millisecond all the same, if the peer has room "
    "(WorkerOptions::fetch_ahead_bytes)";

std::vector<std::string> transportsOf(const ucp::Endpoint& endpoint) {
  std::vector<std::string> names;
  for (const auto& [transport, device] : endpoint.transports()) {
    std::string name = fmt::format("{}/{}", transport, device);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

/// What the user has taken away from UCX.
void addSettings(const ContextState& context, Explanation& said) {
  const ConfigMap settings = context.config.get();
  for (const char* key : {"TLS", "NET_DEVICES"}) {
    const auto found = settings.find(key);
    if (found != settings.end() && found->second != "all")
      said.remarks.push_back(fmt::format("other transports: UCX may use those of UCX_{}={} alone",
                                         key, found->second));
  }
}

const char* wordFor(ChannelKind channel) noexcept {
  switch (channel) {
    case ChannelKind::Self:
      return "self";
    case ChannelKind::Local:
      return "local";
    case ChannelKind::Ucp:
      return "UCX";
  }
  return "?";
}

Explanation explainEnded(const EndpointState& state) {
  const ucs_status_t error = state.error;
  return {"none",
          error == UCS_OK ? "none: the endpoint is closed"
                          : fmt::format("none: the endpoint failed: {}{}", ucp::statusText(error),
                                        state.reason),
          {},
          {}};
}

/// How a message of one block would go over a link now.
class Explainer {
 public:
  Explainer(Link& link, std::size_t size, bool on_device)
      : link_(link), size_(size), on_device_(on_device) {}
  Explanation explain();

 private:
  std::string wayBeforeMeeting() const;
  std::string wayToSelf();
  std::string wayByRing();
  std::string wayInRecord();
  std::string wayInBulk();
  std::string wayOfBulk();
  std::string wayOfOneSided() const;
  std::string wayFromDevice();
  std::string wayByUcx();
  bool hasCredit();

  Link& link_;
  const std::size_t size_;
  const bool on_device_;
  Explanation said_;
};

Explanation Explainer::explain() {
  said_.channel = wordFor(link_.channel);
  if (link_.ucp != nullptr) said_.transports = transportsOf(*link_.ucp);
  if (link_.state != Port::State::Up) {
    said_.channel = "none";
    said_.way = wayBeforeMeeting();
  } else if (link_.channel == ChannelKind::Self) {
    said_.way = on_device_
                    ? "copied by the loop of the worker, to the host through page-locked memory"
                    : wayToSelf();
  } else if (link_.isHoldingSends()) {
    said_.way =
        link_.ucx_status != UCS_OK
            ? "held back: UCX has lost the peer, and what it had sent is read"
            : fmt::format(
                  "held back: {} announced messages are not fetched, and the peer "
                  "takes {} of them",
                  link_.sendCredit().announced(), link_.sendCredit().announcementsGranted());
  } else if (link_.local != nullptr) {
    said_.way = on_device_ ? wayFromDevice() : wayByRing();
  } else if (on_device_ && !channelsOf(link_.loop).reachesDevices()) {
    said_.way = "none: this UCX does not reach the memory of devices";
  } else {
    said_.way = wayByUcx();
  }
  if (link_.state == Port::State::Up)
    said_.remarks.push_back("put, get and atomics: " + wayOfOneSided());
  return said_;
}

std::string Explainer::wayOfOneSided() const {
  if (link_.channel == ChannelKind::Self) return "in the call, of memory of the host";
  if (link_.local == nullptr) return "messages, which the owner's worker serves";
  return fmt::format(
      "loads and stores of the caller in memory that the library has allocated{}; other memory: "
      "{}",
      link_.local->memory().mapping() == nullptr ? ", but the peer's is not mapped here" : "",
      link_.local->memory().isOpen()
          ? "put and get copied by the kernel, atomics by messages"
          : "messages, because the kernel refuses copies between the two");
}

std::string Explainer::wayBeforeMeeting() const {
  if (link_.state == Port::State::Ended)
    return fmt::format("none: the link has ended: {}{}", ucp::statusText(link_.error),
                       link_.failure);
  if (link_.calling.route.name || link_.calling.addresses.empty())
    return "kept until the two have met: a name of this machine is called";
  std::vector<std::string> where;
  for (const door::SocketAddress& address : link_.calling.addresses)
    where.push_back(address.toString());
  return fmt::format("kept until the two have met: {} is called", fmt::join(where, ", "));
}

std::string Explainer::wayToSelf() {
  said_.remarks.emplace_back("local channel, UCX: the peer is the own worker");
  if (size_ > kSelfCopyBytes)
    return fmt::format(
        "handed over in the call if a receive waits for it; else it stays with its sender until "
        "one does (above {} bytes)",
        kSelfCopyBytes);
  return "handed over in the call if a receive waits for it; else copied until one does";
}

bool Explainer::hasCredit() {
  const std::size_t cost = costOf(size_);
  if (link_.sendCredit().covers(cost)) return true;
  said_.remarks.push_back(
      fmt::format("at once: costs {} bytes of credit, of which {} of {} are left until the peer "
                  "receives what it has",
                  cost, link_.sendCredit().left(), link_.sendCredit().granted()));
  return false;
}

std::string Explainer::wayByRing() {
  said_.remarks.emplace_back(link_.ucp == nullptr
                                 ? "UCX: not needed inside a machine; not started for this peer"
                                 : "UCX: carries the memory of devices only, inside a machine");
  std::string at_once = link_.fragmentWayOf(size_) ? wayInBulk() : wayInRecord();
  if (!at_once.empty()) return at_once;
  if (size_ == 0) return "announced, and there is nothing to fetch";
  said_.remarks.emplace_back(kWithoutReceive);
  return "announced; when a receive has matched, " + wayOfBulk();
}

/// Empty: it does not go at once.
std::string Explainer::wayInRecord() {
  if (size_ > link_.fragments().most) {
    said_.remarks.push_back(
        fmt::format("one record of the ring: takes up to {} bytes", link_.fragments().most));
    return {};
  }
  if (!hasCredit()) return {};
  const std::size_t lines = local::RingFlag::linesOf(sizeof(HeaderWords), size_);
  return lines == 1 ? "one record of one line in the ring"
                    : fmt::format("one record of {} lines in the ring", lines);
}

/// What is said of a message that goes through the bulk ring.
std::string Explainer::wayInBulk() {
  namespace choices = local::choices;
  if (size_ > choices::kMostAtOnce) {
    said_.remarks.push_back(
        fmt::format("at once: takes up to {} bytes, of active messages up to {}",
                    choices::kMostAtOnce, kFragmentedAmBytes));
    return {};
  }
  if (link_.local->wantedByPeer(size_) == Way::Copied) {
    said_.remarks.emplace_back(
        "at once: the receiver wants payloads of this size announced, so that they are "
        "copied");
    return {};
  }
  if (!hasCredit()) return {};
  if (!link_.local->hasBulkRoomFor(size_)) {
    said_.remarks.emplace_back("at once: the bulk ring has no room now");
    return {};
  }
  const std::size_t each = choices::fragmentOf(size_);
  return fmt::format("at once through the bulk ring, in {} fragments of {} bytes{}",
                     chunksOf(size_, each), each,
                     link_.local->wantedByPeer(size_) == Way::Streaming ? ", past the caches" : "");
}

/// The receiver decides; the two see the same of each other, unless their settings differ.
std::string Explainer::wayOfBulk() {
  std::string by_ring = fmt::format("through the ring in pieces of {} bytes", kPieceBytes);
  const LocalBulk wanted = channelsOf(link_.loop).context().state().local_bulk;
  if (wanted == LocalBulk::Ring) {
    said_.remarks.emplace_back("a copy from memory to memory: UCXX_LOCAL_BULK=ring");
    return by_ring;
  }
  const bool is_mapped = link_.local->memory().mapping() != nullptr;
  said_.remarks.push_back(
      fmt::format("buffers of the library (HostBuffer): one copy without the kernel, where the "
                  "other side maps them{}",
                  is_mapped ? "" : "; those of the peer are not mapped here"));
  if (!link_.local->memory().isOpen()) {
    said_.remarks.emplace_back(
        "a copy by the kernel: it refuses process_vm_readv between the two (seccomp, Yama, or "
        "other pid namespaces)");
    return by_ring;
  }
  const std::size_t chunk = chunkBytesFor(size_);
  const bool by_both = link_.local->canPeerRunBeside() && chunksOf(size_, chunk) > 1;
  if (!link_.local->canPeerRunBeside())
    said_.remarks.emplace_back("copies by both sides: there is one processor for the two");
  std::string copied =
      fmt::format("copied by the kernel from memory to memory, by {} in {} chunks of {} bytes",
                  by_both ? "both sides" : "the receiver", chunksOf(size_, chunk), chunk);
  if (wanted == LocalBulk::Auto)
    return fmt::format("{}; or {}, where the receiver has measured that to be faster", copied,
                       by_ring);
  if (wanted == LocalBulk::Copy) said_.remarks.emplace_back("the ring: UCXX_LOCAL_BULK=copy");
  return copied;
}

std::string Explainer::wayFromDevice() {
  if (size_ == 0) return "in one record of the ring";
  const DeviceWay staged =
      link_.incoming().canReadStaged() ? DeviceWay::Staged : DeviceWay::Collected;
  said_.remarks.push_back(fmt::format(
      "UCX: {}", !channelsOf(link_.loop).reachesDevices()
                     ? "it does not reach the memory of devices"
                 : !link_.incoming().mayFetchByUcx() ? "it is left out, or the peer has refused it"
                 : size_ < kLeastByUcx ? fmt::format("not below {} bytes", kLeastByUcx)
                                       : "only between buffers with an IPC handle, which memory "
                                         "of pools and of virtual memory has not"));
  const bool may_go_by_ucx = link_.incoming().mayFetchByUcx() && size_ >= kLeastByUcx;
  return fmt::format("announced; when a receive has matched, {}{}", toString(staged),
                     may_go_by_ucx ? "; or by UCX, into memory of a device" : "");
}

std::string Explainer::wayByUcx() {
  const Fragments& fragments = on_device_ ? link_.deviceFragments() : link_.fragments();
  said_.remarks.push_back(fmt::format("local channel: {}", link_.calling.route.why_not));
  addSettings(channelsOf(link_.loop).context().state(), said_);
  if (fragments.most == 0) return "kept until UCX has met the caller";
  said_.remarks.push_back(fmt::format(
      "limits: at once go up to {} bytes, of active messages up to {}, of streams and blocks "
      "up to {}",
      fragments.most, std::min(kFragmentedAmBytes, fragments.most), fragments.whole));
  if (size_ <= fragments.most && hasCredit()) {
    const std::size_t parts = std::max<std::size_t>(1, chunksOf(size_, fragments.each));
    return parts == 1
               ? "one eager active message of UCX"
               : fmt::format("{} eager active messages of UCX of {} bytes", parts, fragments.each);
  }
  if (on_device_ || !fragments.own_announcements)
    return "announced by UCX, which gets it by its rendezvous when a receive has matched";
  said_.remarks.emplace_back(kWithoutReceive);
  return fmt::format("announced; when a receive has matched, in pieces of {} bytes", kPieceBytes);
}

}  // namespace

Explanation explainMessage(Link& link, std::size_t size, bool on_device) {
  return Explainer(link, size, on_device).explain();
}

}  // namespace ucxx::core

namespace ucxx {

Explanation Endpoint::explain(std::size_t size, ucs_memory_type_t memory_type) const {
  if (memory_type < UCS_MEMORY_TYPE_HOST || memory_type >= UCS_MEMORY_TYPE_LAST)
    throw InvalidParamError(
        fmt::format("explain: invalid memory type {}", static_cast<int>(memory_type)));
  const bool on_device = core::isSaidOnDevice(memory_type);
  Explanation said;
  worker_->loop().posts.run([&] {
    said = state_->isOver() || state_->inlet == nullptr
               ? core::explainEnded(*state_)
               : core::explainMessage(*linkOf(*state_), size, on_device);
  });
  return said;
}

std::string Explanation::toString() const {
  std::string text = fmt::format("channel: {}\nway: {}\n", channel, way);
  if (!transports.empty())
    text += fmt::format("transports of UCX: {}\n", fmt::join(transports, ", "));
  for (const std::string& remark : remarks) text += fmt::format("note: {}\n", remark);
  return text;
}

}  // namespace ucxx
