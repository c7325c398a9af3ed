// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/file_descriptor.h"
#include "base/poller.h"
#include "door/door.h"
#include "door/handshake.h"

namespace ucxx::door {

struct DoorState;

/// One address of a call. Owned by the call, which is told what happens and may destroy it then.
class Attempt final : base::PollHandler {
 public:
  Attempt(Call& call, DoorState& door, const SocketAddress& to)
      : call_(call), door_(door), to_(to) {}
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  const SocketAddress& to() const noexcept { return to_; }
  /// Begins to connect; what fails at once comes back as a status, BUSY if it will pass. Tells
  /// nobody.
  ucs_status_t dial() noexcept;
  bool isConnected() const noexcept { return connected_; }
  /// Introduces this worker; `descriptors` are borrowed. May destroy this object.
  void speak(const Hello& hello, const Descriptors& descriptors);
  /// The peer's word, after `Call::onAnswered`.
  const Handshake& handshake() const noexcept { return *handshake_; }
  Descriptors takeDescriptors() noexcept { return handshake_->takeDescriptors(); }
  /// Gives the socket away, after a welcome.
  std::unique_ptr<Connection> becomeConnection();

 private:
  void onReady(std::uint32_t events) override;
  void goOn();
  void onConnected();
  void talk();

  Call& call_;
  DoorState& door_;
  const SocketAddress to_;
  base::FileDescriptor socket_;
  bool connected_ = false;
  std::optional<Handshake> handshake_;
};

}  // namespace ucxx::door
