// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include <ucs/type/status.h>

#include "core/match/message.h"

namespace ucxx::core {

class Link;

/// What the peer does to memory of ours by messages, each checked against the registry of the
/// context: done when it is its turn, and answered. Nothing of the memory is used afterwards, so
/// that it can be given up at any time. Part of a link.
class Served {
 public:
  /// What one message may put, or ask for. Ours have less (`Link::pieceBytes`).
  static constexpr std::size_t kMostBytes = 64 << 10;
  /// That have not left: twice what the peer may ask for (`Accesses::kMostUnderWay`), since it may
  /// have an answer, and ask for more, before we are told that it has left.
  static constexpr std::size_t kMostAnswers = 256;

  explicit Served(Link& link) noexcept : link_(link) {}
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  /// False: it is no such message, or more than the peer may ask at once.
  [[nodiscard]] bool take(const Incoming& message);

 private:
  struct Answer;

  bool put(const Incoming& message);
  bool get(const Incoming& message);
  bool update(const Incoming& message);
  bool answer(std::unique_ptr<Answer> answer, ucs_status_t status);

  Link& link_;
  std::size_t under_way_ = 0;      // answers
  ucs_status_t refused_ = UCS_OK;  // the first that was not answered, since the peer last asked
};

}  // namespace ucxx::core
