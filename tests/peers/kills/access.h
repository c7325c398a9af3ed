// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <ucxx/api.h>

#include "peers/kills/plan.h"
#include "peers/kills/step.h"
#include "peers/memory.h"

namespace ucxx::kills {

using peers::Block, peers::Pool;

/// Memory that the peer of a run reaches: a counter, then a place for each operation of its window.
class Exposed {
 public:
  Exposed(Pool& pool, Endpoint& endpoint, const Plan& plan, Tag tag);
  ~Exposed();
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;

  /// What the peer has counted.
  std::size_t count() const;
  /// How the pair of endpoints has ended; INPROGRESS: it has not.
  ucs_status_t status() const;

 private:
  Pool& pool_;
  std::unique_ptr<Block> block_;     // or
  std::vector<std::byte> unmapped_;  // or the library's own
  std::shared_ptr<MemoryHandle> handle_;
  std::string key_;
  std::shared_ptr<Request> sent_, never_;
  std::byte unsent_[1] = {};
};

/// The same at the end that reaches for it.
class Reach {
 public:
  Reach(std::shared_ptr<Endpoint> endpoint, const Plan& plan, Tag tag);

  /// The key has come.
  bool isReady();
  bool hasKey() const { return key_ != nullptr; }
  /// Until then.
  Request& awaited() const { return *came_; }
  /// What the wait for it has ended with.
  ucs_status_t status() const { return came_->getStatus(); }
  /// Puts the bytes of `number` to their place, counts that, and gets them back.
  std::unique_ptr<Step> access(Pool& pool, std::uint64_t number);

 private:
  const std::shared_ptr<Endpoint> endpoint_;
  const std::size_t size_, window_;
  std::string room_ = std::string(256, '\0');
  std::shared_ptr<Request> came_;
  std::shared_ptr<RemoteKey> key_;
  std::uint64_t begun_ = 0;
  std::set<std::uint64_t> counted_;
};

}  // namespace ucxx::kills
