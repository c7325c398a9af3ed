// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <ucxx/api.h>

#include "peers/kills/flow.h"
#include "peers/kills/meeting.h"

namespace ucxx::kills {

/// What the survivor has to do with one victim.
class Encounter {
 public:
  Encounter(Pool& pool, std::shared_ptr<Worker> worker, const Plan& plan);
  ~Encounter();
  Encounter(const Encounter&) = delete;
  Encounter& operator=(const Encounter&) = delete;

  const Plan& plan() const { return plan_; }
  std::uint16_t port() const { return reception_->port(); }
  void callAtPort(std::uint16_t port);
  void callAtAddress(const std::string& hex);
  void turn(std::int64_t time);

  /// Closes its end, whatever is on its way.
  void close();
  /// Since then: what the victim may be about to write has not been given back.
  bool isHeld() const;
  bool hasClosed() const;

  bool hasMet() const { return endpoint_ != nullptr; }
  /// When the last request with the victim ended; 0: some are pending.
  std::int64_t endedAt() const { return ended_at_; }
  /// What a program that waits would wait for; null: nobody has come.
  Request* awaited() const;
  std::size_t count() const;
  /// By which the first message went.
  const std::string& transports() const { return transports_; }
  /// Empty, or what is wrong with how requests ended when the victim was killed then.
  std::string verdict(std::int64_t killed_at) const;

 private:
  void receive(std::shared_ptr<Endpoint> endpoint);
  void noteTransports();
  void maybeClose();
  template <class Use>
  void forFlows(Use use) const {
    if (in_) use(*in_);
    if (out_) use(*out_);
  }

  Pool& pool_;
  const std::shared_ptr<Worker> worker_;
  const Plan plan_;
  std::optional<Reception> reception_;
  std::shared_ptr<Endpoint> endpoint_;
  std::optional<Flow> in_, out_;
  std::byte unsent_[8] = {};
  std::shared_ptr<Request> closed_;
  std::shared_ptr<Request> never_;  // a receive that nothing matches
  std::int64_t ended_at_ = 0, closes_at_ = 0;
  bool is_closing_ = false;
  std::string transports_;
};

}  // namespace ucxx::kills
