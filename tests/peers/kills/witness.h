// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include <ucxx/api.h>

#include "peers/kills/driver.h"
#include "tools/perftest/control.h"

namespace ucxx::kills {

/// The traffic that must go on whatever happens to victims, at one of its two ends: the witness
/// sends numbered messages of several sizes all the time, the survivor sends each back.
class Traffic {
 public:
  Traffic(std::shared_ptr<Endpoint> endpoint, bool is_witness);
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  void turn(std::int64_t time);
  std::uint64_t received() const { return received_; }
  /// Empty, or what has gone wrong.
  const std::string& failure() const { return failure_; }
  /// The longest time without a message since this was asked last.
  std::int64_t takeLongestGap(std::int64_t time);

 private:
  struct Receive;
  void post();
  void collect(Receive& receive);
  void send(std::uint64_t number);
  void see(std::int64_t time);

  std::shared_ptr<Endpoint> endpoint_;
  const bool is_witness_;
  std::deque<std::unique_ptr<Receive>> receives_;
  std::deque<std::pair<std::shared_ptr<Request>, std::unique_ptr<std::byte[]>>> sends_;
  std::uint64_t received_ = 0, sent_ = 0, posted_ = 0;
  std::int64_t sent_at_ = 0, seen_at_ = 0, longest_gap_ = 0;
  std::string failure_;
};

/// The whole third process.
int runWitness(tools::Control& control);

}  // namespace ucxx::kills
