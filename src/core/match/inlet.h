// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bulk/assembly.h"
#include "core/bulk/incoming_payloads.h"
#include "core/channel/credit.h"
#include "core/channel/incoming.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/match/ahead.h"
#include "core/match/closed_pairs.h"
#include "core/match/intake.h"
#include "core/match/large_frames.h"
#include "core/match/recallable_messages.h"
#include "core/wire/wire.h"

namespace ucxx::core {

class EndpointState;
class Loop;

/// The receiving half of a link: what the messages need that have come over it. A message that
/// waits for its receive names its inlet until that ends. The loop's.
class Inlet : public Port {
 public:
  IncomingPayloads& incoming() noexcept { return incoming_; }
  const IncomingPayloads& incoming() const noexcept { return incoming_; }
  RecallableMessages& recallable() noexcept { return recallable_; }
  LargeFrames& frames() noexcept { return frames_; }
  const LargeFrames& frames() const noexcept { return frames_; }
  Assembly& assembly() noexcept { return assembly_; }
  const Assembly& assembly() const noexcept { return assembly_; }
  Ahead& ahead() noexcept { return ahead_; }
  const Ahead& ahead() const noexcept { return ahead_; }
  Intake& intake() noexcept { return intake_; }

  /// A control message about a pair.
  void sendControl(MessageKind kind, const EndpointState& endpoint, std::uint64_t argument = 0);
  using Port::sendControl;
  /// A message of this cost was consumed: the sender may send that much more.
  void returnCredit(std::size_t cost);
  void refuse(const Incoming& message) override;
  void announcementTaken() noexcept override { receive_credit_.giveBackAnnouncement(); }
  /// Nothing ends the link, and the peer is there: it may be asked for payloads before a receive
  /// wants them.
  virtual bool mayFetchAhead() const noexcept = 0;
  /// The endpoint at this side that a header names; null: there is none.
  virtual EndpointState* findEndpoint(const WireHeader& header) const noexcept = 0;

  /// Never used twice in a process: names the inlet where it may be gone.
  const std::uint64_t inlet_number;
  ClosedPairs closed;  // of endpoints that had a standing receive

 protected:
  Inlet(Loop& its_loop, ChannelKind its_channel);
  ~Inlet() override = default;

  ReceiveCredit receive_credit_;
  IncomingPayloads incoming_{*this};
  RecallableMessages recallable_{*this, incoming_};
  LargeFrames frames_{*this, incoming_};
  Assembly assembly_{*this, incoming_.ways};
  Ahead ahead_{*this};
  Intake intake_{*this};
};

/// Every port is that of a link, and so an inlet.
inline Inlet& inletOf(Port& port) noexcept { return static_cast<Inlet&>(port); }

}  // namespace ucxx::core
