// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ucxx::core {

class Link;
class Offers;
struct Incoming;

/// UCX beside the local channel: it carries payloads from device to device, where it can map the
/// memory of one device in the process of the other. A link makes it when a receiver asks for such
/// a payload for the first time. One side asks, by the ring, and says its address of UCX; the other
/// makes its end and answers with its own. Whoever gets a question while it waits for an answer
/// need not wait any longer: the question says as much. Part of a link.
class UcxBeside {
 public:
  UcxBeside(Link& link, Offers& offers) noexcept : link_(link), offers_(offers) {}

  /// The payload of an offer goes by UCX, when it is there.
  void send(std::uint64_t number);
  /// The peer was asked, and may send by UCX before its answer comes.
  bool isAsked() const noexcept { return asked_; }
  void onAsk(const Incoming& message);
  void onAnswer(const Incoming& message);

 private:
  void ask();
  void meet(std::span<const std::byte> address);
  void giveUp(std::string_view why);

  Link& link_;
  Offers& offers_;
  bool asked_ = false;                  // not answered yet
  std::vector<std::uint64_t> waiting_;  // offers
};

}  // namespace ucxx::core
