// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ucs/type/status.h>

namespace ucxx::ucp {

/// Hears what UCX logs as an error or a warning in this thread while it lives, whatever our own log
/// level is: UCX names a bad setting and its value only there, the status does not.
class Complaints {
 public:
  Complaints() noexcept;
  ~Complaints();
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;

  /// Throws the class of `status` unless it is OK, with "`what`: UCX's text (UCX: what it logged)",
  /// and with the variable of the environment that holds the value which UCX refused.
  void check(ucs_status_t status, const std::string& what) const;

  /// True when somebody in this thread listens.
  static bool isListening() noexcept;
  /// For UCX's log handler: a line of this thread.
  static void hear(std::string_view line) noexcept;

 private:
  std::vector<std::string> lines_;
  Complaints* const outer_;
};

}  // namespace ucxx::ucp
