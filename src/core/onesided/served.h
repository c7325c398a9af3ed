// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include <ucs/type/status.h>

#include "core/channel/incoming.h"
#include "core/channel/port.h"

namespace ucxx::core {

/// What the peer does to local memory by messages, each checked against the registry of the
/// context: done when it is its turn, and answered. Nothing of the memory is used afterwards, so
/// that it can be given up at any time. Part of a link.
class Served {
 public:
  /// What one message may put, or ask for. The library sends less (`Port::pieceBytes`).
  static constexpr std::size_t kMostBytes = 64 << 10;
  /// That have not left: twice what the peer may ask for (`Accesses::kMostUnderWay`), since it may
  /// have an answer, and ask for more, before the local side is told that it has left.
  static constexpr std::size_t kMostAnswers = 256;

  explicit Served(Port& port) noexcept : port_(port) {}
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  /// False: it is no such message, or more than the peer may ask at once.
  [[nodiscard]] bool take(const Incoming& message);

 private:
  bool put(const Incoming& message);
  bool get(const Incoming& message);
  bool update(const Incoming& message);
  bool settle(const Incoming& message);
  /// False: the peer asks for more than it may at once.
  bool mayAnswer() const noexcept { return under_way_ < kMostAnswers; }
  NoticePointer makeAnswer(std::size_t size);
  void answer(NoticePointer notice, ucs_status_t status);

  Port& port_;
  std::size_t under_way_ = 0;      // answers
  ucs_status_t refused_ = UCS_OK;  // the first that was not answered, since the peer last asked
};

}  // namespace ucxx::core
