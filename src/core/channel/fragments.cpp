// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How much of a message goes at once, by what carries it.

#include <algorithm>

#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "local/choices.h"
#include "ucp/worker.h"

namespace ucxx::core {
namespace {

/// What goes out in fragments, above that it is announced. Over TCP nothing is gained by UCX's
/// rendezvous, which copies as often; with 16 KiB, UCX sends straight from the buffer and receives
/// in one read (12 and 20 KiB take 1.2 and 1.7 times as long). Other transports fetch without the
/// receiver's processor.
constexpr Fragments kTcpFragments{kPieceBytes, 4 << 20, 32 << 10, true};
constexpr Fragments kOtherFragments{32 << 10, 256 << 10, 32 << 10, false};
/// From the memory of a device, what is larger is announced on every transport: UCX sends eager
/// messages in pieces of 8 KiB, each after a copy that waits for the device, about 15 us. On an
/// H200 its rendezvous takes 170 us, but 16 where several are under way (docs/performance/gpu.md).
constexpr std::size_t kMostFromDevice = 64 << 10;
/// On the local channel, what has no place in the bulk ring goes in one record, or is announced.
static_assert(local::choices::kPiece == kPieceBytes, "announced ones come in such pieces");
static_assert(local::choices::kPiece <= local::choices::kMostFragment, "each piece is a fragment");
constexpr Fragments kLocalFragments{local::choices::kPiece, local::choices::kPiece,
                                    local::choices::kPiece, true};

Fragments fragmentsOver(const ucp::Endpoint& endpoint) {
  const auto transports = endpoint.transports();
  const bool tcp = !transports.empty() &&
                   std::all_of(transports.begin(), transports.end(),
                               [](const auto& transport) { return transport.first == "tcp"; });
  return tcp ? kTcpFragments : kOtherFragments;
}

}  // namespace

void Port::chooseFragments() {
  if (ucp != nullptr) device_fragments_ = fragmentsOver(*ucp);
  fragments_ = local != nullptr ? kLocalFragments : device_fragments_;
  device_fragments_.most = std::min(device_fragments_.most, kMostFromDevice);
}

}  // namespace ucxx::core
