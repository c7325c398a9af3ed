// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/idle_memory.h"

#include <sys/epoll.h>

#include "base/clock.h"
#include "local/arena.h"

namespace ucxx::core {

IdleMemory::IdleMemory(base::Poller& poller) : poller_(poller), timer_(local::Arena::timer()) {
  if (timer_ != nullptr) poller_.add(timer_->get(), EPOLLIN, *this);
}

IdleMemory::~IdleMemory() {
  if (timer_ != nullptr) poller_.remove(timer_->get(), *this);
}

void IdleMemory::onReady(std::uint32_t) {
  timer_->clear();
  if (local::Arena* const arena = local::Arena::existing())
    arena->giveBackUnused(base::Clock::now());
}

}  // namespace ucxx::core
