// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <ucxx/api.h>

#include "tools/host_port.h"

namespace ucxx::tools {

/// What a process ends with when the peer was not met.
enum class ExitCode { Failed = 1, NobodyListens = 3, NoUcxx = 4, TimedOut = 5 };

/// Why there is no peer, for people, and for whoever runs the program.
class NotMet : public std::runtime_error {
 public:
  NotMet(const std::string& text, ExitCode code) : std::runtime_error(text), code_(code) {}
  ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

/// Meets the listener at `peer` and tells how messages of some sizes would go there: what the
/// endpoint explains, how long it took to meet, and what the worker describes. The listener sees
/// an endpoint that closes again. Throws `NotMet`.
nlohmann::json peerInfo(const std::shared_ptr<Context>& context, const HostPort& peer,
                        std::chrono::milliseconds limit);

/// The same, for people.
void printPeer(const nlohmann::json& info);

}  // namespace ucxx::tools
