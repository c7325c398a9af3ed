// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <ucs/type/status.h>

#include "core/channel/incoming.h"
#include "core/wire/wire.h"

namespace ucxx::core {

class EndpointState;
class IncomingPayloads;
class Port;
struct Operation;

/// A large frame of a multi-buffer message: it has come, or somebody waits for it, or both.
struct LargeFrame {
  Announcement announcement;    // of the peer's
  Operation* sender = nullptr;  // self channel, with `bytes`
  const void* bytes = nullptr;
  std::size_t size = 0;
  Operation* receiver = nullptr;
  void* buffer = nullptr;
  std::size_t wanted = 0;
  bool is_on_device = false;         // at its sender
  bool is_placed_on_device = false;  // `buffer`
  bool hasCome() const noexcept { return announcement || sender != nullptr; }
};

/// A multi-buffer message whose large frames are on their way, straight behind it.
struct OpenMulti {
  std::uint32_t sequence = 0;
  bool stays = false;    // they are not to be fetched before a receive has matched it
  bool refused = false;  // nobody will take them
};

/// The large frames of the multi-buffer messages that come over a link: those that wait for their
/// receive, and those that a receive waits for. The bytes of a frame that waits are with its
/// sender, or have been fetched ahead (`FetchAhead::frames`). Part of a link.
class LargeFrames {
 public:
  LargeFrames(Port& port, IncomingPayloads& incoming);
  LargeFrames(const LargeFrames&) = delete;
  LargeFrames& operator=(const LargeFrames&) = delete;

  /// @name Messages
  /// @{
  /// A message has come; its frames follow.
  void open(const WireHeader& header);
  /// The frames of a message of this worker have all been handed over.
  void close(std::uint32_t sequence) noexcept;
  /// Null: no frames of that message can come.
  OpenMulti* opened(std::uint32_t sequence) noexcept;
  /// Nobody takes the frames of the message: those that have come are dropped, and those that come.
  void refuse(std::uint32_t sequence) noexcept;
  /// @}

  /// @name Frames, by `frameKey`
  /// @{
  LargeFrame& at(std::uint64_t key) { return frames_[key]; }
  bool hasCome(std::uint64_t key) const noexcept;
  /// Takes out the frame, which has come and has a receive.
  LargeFrame take(std::uint64_t key) noexcept;
  /// Drops the payload of a frame, and tells its sender.
  void drop(const LargeFrame& frame) noexcept;
  /// @}

  /// Frames of one message that were sent, within a worker, and that nobody has taken.
  struct Revoked {
    Operation* sender = nullptr;  // null: there are none; `frames` parts of it are to be ended
    std::uint32_t sequence = 0;   // of the message
    std::size_t frames = 0;
  };
  /// The first message, from frame `from` on, of which `endpoint` sends such frames; they are not
  /// kept any more.
  Revoked revokeNext(const EndpointState& endpoint, std::uint64_t from) noexcept;
  /// The link ends: frames are dropped, and receives that wait for some end with `status`.
  void end(ucs_status_t status) noexcept;

 private:
  Port& port_;
  IncomingPayloads& incoming_;
  std::vector<OpenMulti> open_;                 // self: nested ones; else the last that came
  std::map<std::uint64_t, LargeFrame> frames_;  // by key
};

}  // namespace ucxx::core
