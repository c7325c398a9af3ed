// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

#include <ucxx/coroutine.h>

#include "core/fixtures.h"

namespace ucxx::core::test {

inline constexpr Tag kPing{1}, kPong{2};

/// A coroutine that runs at once, and goes on without this object.
class Running {
  struct State {
    std::atomic<bool> is_over{false};
    std::exception_ptr error;
  };

 public:
  class promise_type {
   public:
    ~promise_type() { state_->is_over = true; }
    Running get_return_object() {
      return Running(std::coroutine_handle<promise_type>::from_promise(*this), state_);
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { state_->error = std::current_exception(); }

   private:
    std::shared_ptr<State> state_ = std::make_shared<State>();
  };

  Running() = default;
  /// Returned or destroyed.
  bool isOver() const { return state_->is_over; }
  void rethrow() const {
    if (state_->error != nullptr) std::rethrow_exception(state_->error);
  }
  /// While it is suspended.
  void destroy() { handle_.destroy(); }

 private:
  Running(std::coroutine_handle<> handle, std::shared_ptr<State> state)
      : handle_(handle), state_(std::move(state)) {}

  std::coroutine_handle<> handle_;
  std::shared_ptr<State> state_;
};

inline Running await(std::shared_ptr<Request> request, bool& after) {
  co_await request;
  after = true;
}

}  // namespace ucxx::core::test
