// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/plan/marks.h"

namespace ucxx::core {

/// Words of library memory for the plans of one link, close together: what a peer writes of the two
/// directions of an exchange is one line then, which is fetched once. A page of them goes back with
/// its last word. Taken on the loop, given back by any thread.
class PlanWords {
 public:
  /// So many zeros; null: there is no library memory. Throws `std::bad_alloc`.
  std::shared_ptr<Marks::Word> take(std::size_t count);

 private:
  class Page;
  std::vector<std::weak_ptr<Page>> pages_;
};

}  // namespace ucxx::core
