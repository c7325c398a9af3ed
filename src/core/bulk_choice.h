// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "local/choices.h"

namespace ucxx::core {

/// How an announced payload comes from a process of this machine.
enum class FetchWay : std::uint8_t {
  Copied,    ///< by the kernel from memory to memory (copies.h)
  InPieces,  ///< through the ring (grants.h)
};

/// Which way the next payload of a peer on this machine is fetched, where both are open. Part of a
/// link.
///
/// Which one is faster depends on the kernel, on where the host has put our processors, on who else
/// runs there and on the payloads, and it changes while a program runs. So it is measured: how many
/// bytes come while payloads are under way. All that begin take the usual way; now and then those
/// of a trial take the other one. What began in one way spoils the measurement of the other, so
/// that begins when the last of those has ended. Pieces need their sender: the ring becomes the
/// usual way only by a trial, and none begins while the sender does not help to copy.
class BulkChoice {
 public:
  /// The way of a payload that begins now. `is_sender_there`: it copied a part of the last.
  FetchWay choose(std::size_t size, bool is_sender_there) noexcept;
  /// It begins. Returns what its end is to be told with.
  std::uint32_t begins(std::size_t size) noexcept;
  /// Bytes of it have come.
  void came(std::size_t bytes) noexcept { bytes_ += bytes; }
  /// It has ended, with all its bytes or not.
  void ends(std::size_t size, std::uint32_t epoch, bool whole) noexcept;

 private:
  FetchWay way() const noexcept;
  double& cost(FetchWay way) noexcept { return costs_[static_cast<std::size_t>(way)]; }
  bool mayTry(std::size_t size, bool is_sender_there) noexcept;
  void judge(std::size_t size) noexcept;
  void endTrial(bool found) noexcept;
  void swap() noexcept;
  void change() noexcept;
  void measureAnew() noexcept;
  void learn(double cost_now) noexcept;

  FetchWay usual_ = FetchWay::Copied;
  bool is_trial_ = false;
  std::array<double, 2> costs_{};  // seconds per byte of each way; 0: not known
  std::size_t until_trial_ = local::choices::kPayloadsToFirstTrial;
  std::size_t pause_ = local::choices::kPayloadsToTrial;  // after the next one
  std::size_t trial_bytes_ = 0;                           // that have begun in it

  std::uint32_t epoch_ = 0;  // counts the changes of the way
  std::size_t under_way_ = 0;
  std::size_t bytes_under_way_ = 0;
  std::size_t others_ = 0;  // under way, begun in the way before
  // Since the last of those has ended:
  std::size_t bytes_ = 0;
  base::Duration busy_{};    // with payloads under way, until ...
  base::TimePoint since_{};  // ... then
};

}  // namespace ucxx::core
