// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "tools/perftest/session.h"

namespace ucxx::tools {

/// Posts `count` messages by `post`, `window` of them under way; returns the last.
template <class Post>
std::shared_ptr<Request> flow(Session& session, std::uint64_t count, std::size_t window,
                              Post post) {
  std::vector<std::shared_ptr<Request>> under_way(std::min<std::uint64_t>(count, window));
  for (auto& request : under_way) request = post();
  std::size_t oldest = 0;
  const auto next = [&] { oldest = oldest + 1 == under_way.size() ? 0 : oldest + 1; };
  for (std::uint64_t posted = under_way.size(); posted < count; ++posted, next()) {
    session.wait(*under_way[oldest]);
    under_way[oldest] = post();
  }
  std::shared_ptr<Request> last;
  for (std::size_t left = under_way.size(); left > 0; --left, next()) {
    last = under_way[oldest];
    session.wait(*last);
  }
  return last;
}

}  // namespace ucxx::tools
