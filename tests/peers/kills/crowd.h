// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ucxx/api.h>

namespace ucxx::kills {

/// More local peers of the survivor than it polls however idle they are. They say something now and
/// then, so it is the victim's ring that becomes cold in a pause: then a record is seen only when
/// it is rung for, or when the victim's end is seen.
class Crowd {
 public:
  /// Has `worker` drop what they say.
  static void expectAt(Worker& worker);

  /// Calls the worker of this address; it must progress meanwhile. Empty without a local channel.
  explicit Crowd(const std::string& address);
  void turn(std::int64_t time);

 private:
  struct Peer {
    std::shared_ptr<Worker> worker;
    std::shared_ptr<Endpoint> endpoint;
    std::shared_ptr<Request> said;
  };
  static void say(Peer& peer);

  std::vector<Peer> peers_;
  std::int64_t said_at_ = 0;
};

}  // namespace ucxx::kills
