// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "gpu/driver.h"
#include "gpu/setting.h"

namespace gpu {

/// A call in a thread of its own, which may never come back: the thread is left behind then.
class Aside {
 public:
  explicit Aside(std::function<Result()> call) : state_(std::make_shared<State>()) {
    std::thread([state = state_, call = std::move(call)] {
      useDevice();
      state->result = call();
      state->is_over = true;
    }).detach();
  }

  bool endsWithin(std::chrono::milliseconds limit) const {
    return eventually([&] { return state_->is_over.load(); }, limit);
  }
  Result result() const { return state_->result; }  // once it is over

 private:
  struct State {
    std::atomic<bool> is_over{false};
    std::atomic<Result> result{kSuccess};
  };
  std::shared_ptr<State> state_;
};

}  // namespace gpu
