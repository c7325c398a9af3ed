// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <ucxx/api.h>

#include "peers/kills/plan.h"
#include "peers/kills/step.h"
#include "peers/memory.h"

namespace ucxx::kills {

using peers::Block, peers::Pool;

/// Prepared transfers of one direction of a run, at one end: one for each place of its window. A
/// step is an iteration of one of them.
class PreparedEnds {
 public:
  PreparedEnds(Pool& pool, const std::shared_ptr<Endpoint>& endpoint, const Plan& plan, Tag tag,
               bool sends);
  ~PreparedEnds();
  PreparedEnds(const PreparedEnds&) = delete;
  PreparedEnds& operator=(const PreparedEnds&) = delete;

  /// The one before the window has ended.
  std::unique_ptr<Step> iterate(std::uint64_t number);
  void close();
  bool isClosed() const;
  /// Some closes have not ended: the peer may still write there.
  bool isHeld() const { return awaited() != nullptr; }
  /// Whose close has ended has a buffer that nobody may write any more: the pool looks at it.
  void giveBack();
  /// Of the closes that have ended: the first that is not OK.
  ucs_status_t closeStatus() const;
  /// A close that has not ended; null: none.
  Request* awaited() const;

  struct End {
    std::unique_ptr<Block> block;
    std::shared_ptr<Prepared> plan;
    std::shared_ptr<Request> closed;
  };

 private:
  Pool& pool_;
  const bool sends_;
  std::vector<End> ends_;
  std::size_t begun_ = 0;
};

}  // namespace ucxx::kills
