// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>

#include <ucxx/export.h>

namespace ucxx::base {

/// Called around the waits of calls for another thread of this process: Python lets its threads run
/// meanwhile, of which that one may be. `end` is given what `begin` has returned.
struct WaitHooks {
  void* (*begin)() noexcept;
  void (*end)(void*) noexcept;
};
/// One for the process, for its life; null: there are none.
extern UCXX_PUBLIC std::atomic<const WaitHooks*> wait_hooks;

class Waiting {
 public:
  Waiting() noexcept : hooks_(wait_hooks.load(std::memory_order_acquire)) {
    if (hooks_ != nullptr) begun_ = hooks_->begin();
  }
  ~Waiting() {
    if (hooks_ != nullptr) hooks_->end(begun_);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  const WaitHooks* const hooks_;
  void* begun_ = nullptr;
};

}  // namespace ucxx::base
