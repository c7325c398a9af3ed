// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What two workers need to know to meet by UCX. Each makes its UCX only now.

#include <algorithm>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/id128.h"
#include "base/id128_format.h"
#include "base/log.h"
#include "core/channel/channels.h"
#include "core/channel/link_types.h"
#include "core/link/calling.h"
#include "core/link/link.h"
#include "core/meet/links.h"
#include "door/door.h"
#include "door/hello.h"
#include "door/machine_id.h"
#include "ucp/library.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// What every supported UCX reads; without ADDRESS_VERSION=v2 it writes 0.
constexpr unsigned kReadVersion = 1;
/// Descriptors that may go to others between a welcome and the endpoint that it promises. Without
/// them the caller would have an endpoint and the answerer none, and UCX could take what is left of
/// the one for their next meeting.
constexpr std::size_t kOpenedMeanwhile = 8;

unsigned versionOf(std::span<const std::byte> ucx_address) noexcept {
  return std::to_integer<unsigned>(ucx_address.front()) & 0xf;
}

}  // namespace

const std::vector<std::byte>& Links::ucxAddress() {
  if (ucx_address_.empty()) ucx_address_ = channelsOf(loop_).ensureUcp().address();
  return ucx_address_;
}

const std::vector<std::byte>& Links::readyToMeetByUcx() {
  const std::vector<std::byte>& address = ucxAddress();
  ucp::requireDescriptors("meet by UCX", kOpenedMeanwhile);
  return address;
}

bool Links::isReadable(std::span<const std::byte> ucx_address) {
  return !ucx_address.empty() &&
         versionOf(ucx_address) <= std::max(versionOf(ucxAddress()), kReadVersion);
}

/// False: UCX does not start, or the peer has no address; the link fails.
bool Links::introduceByUcx(Link& link, door::Hello& introduction) {
  if (link.calling.addresses.empty()) {
    failCalling(link, UCS_ERR_UNREACHABLE, "the peer is only met locally, with UCXX_LOCAL=only");
    return false;
  }
  if (link.calling.knocks) return true;  // the peer says whether it is needed
  try {
    introduction.ucx_address = ucxAddress();
    return true;
  } catch (const Error& error) {
    failCalling(link, error.status(), error.what());
    return false;
  }
}

/// The welcome, or why there is none.
door::Answer Links::answerByUcx(const door::Hello& from, std::uint64_t listener) {
  if (from.ucx_address.empty())
    return refused(from.may_be_local ? door::Refusal::NeedsUcx : door::Refusal::Malformed,
                   listener);
  try {
    if (!isReadable(from.ucx_address)) return refused(door::Refusal::Malformed, listener);
    door::Welcome welcome{hello(nameFor(from))};
    welcome.hello.listener = listener;
    welcome.hello.ucx_address = readyToMeetByUcx();
    return welcome;
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "worker {} cannot be met by UCX: {}", from.worker,
              error.what());
    // Descriptors come back: then the caller may find this worker ready.
    const bool passes = error.status() == UCS_ERR_NO_RESOURCE;
    return refused(passes ? door::Refusal::OutOfDescriptors : door::Refusal::UcxFailed, listener);
  }
}

/// Why a link goes by UCX, as far as this side knows.
std::string Links::whyNotLocal(const Link& link, const door::Hello& from) const {
  if (!link.calling.route.why_not.empty()) return link.calling.route.why_not;
  if (channelsOf(loop_).hub() == nullptr) return channelsOf(loop_).whyNotLocal();
  if (from.machine != door::machineId()) return "the peer is on another machine";
  return "the peer does not use the local channel";
}

}  // namespace ucxx::core
