// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "core/loop/watch.h"

namespace ucxx::core {

class Link;

/// Has each round move what a link copies between the memories of two processes.
class LinkCopying final : public Watched {
 public:
  explicit LinkCopying(Link& link) noexcept;
  /// From now on there is something to copy, or will be when the peer has done its part.
  void begin() noexcept {
    if (!isWatching()) beginWatching();
  }
  bool look() override;
  bool maySleep() noexcept override;
  bool changesInSilence() const noexcept override { return false; }

 private:
  Link& link_;
};

}  // namespace ucxx::core
