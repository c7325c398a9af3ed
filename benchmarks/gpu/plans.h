// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <array>
#include <memory>

#include "table.h"

namespace gpu::bench {

/// Ping-pong by prepared transfers that the streams start and await: prepared once, for all plays.
class Plans {
 public:
  Plans(const Crew& crew, const Table& table);
  ~Plans();
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  void play(const Side& side, Word iterations) const;

 private:
  struct Ends {
    std::shared_ptr<ucxx::PreparedSend> send;
    std::shared_ptr<ucxx::PreparedRecv> receive;
  };
  const Crew& crew_;
  std::array<Ends, 2> ends_;
};

}  // namespace gpu::bench
