// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// `co_await` for requests, in C++20; empty before. Not part of `ucxx/api.h`.
//
//   co_await endpoint->tagSend(data, size, tag);                throws as `Request::checkError`
//   ucs_status_t status = co_await ucxx::statusOf(request);     throws nothing
//
// A request that has ended suspends nobody. Otherwise the coroutine goes on when it ends, as a
// `Continuation` does: on the thread that moves the worker. Several coroutines may await one
// request. Each holds it, and with it its worker, while it is suspended. A suspended coroutine may
// be destroyed on the thread that moves the worker, or while none does (whoever posts to it,
// cancels or closes moves it, too); the request goes on, and keeps its buffer; of a receive whose
// message is to be another's, `Request::giveBack` before or after. Between the end of a request and
// its coroutine nobody can come: there is no message that neither has. In a forked child, to await
// what is in progress throws `Error`.

#if defined(__cpp_impl_coroutine)

#include <coroutine>
#include <memory>
#include <stdexcept>

#include <ucxx/request.h>

namespace ucxx {

/// Awaits one request and gives its status. Belongs to one expression, whose operand it refers to.
class StatusAwaiter : private Continuation {
 public:
  explicit StatusAwaiter(const std::shared_ptr<Request>& request) : request_(request) {
    if (request == nullptr) throw std::invalid_argument("co_await needs a request, not null");
  }
  ~StatusAwaiter() {
    if (suspended_) held_->detach(*this);
  }

  bool await_ready() noexcept {
    status_ = request_->getStatus();
    return status_ != UCS_INPROGRESS;
  }
  bool await_suspend(std::coroutine_handle<> awaiting) {
    awaiting_ = awaiting;
    held_ = request_;
    suspended_ = true;
    if (held_->attach(*this)) return true;  // it may be over by now, and this object gone
    suspended_ = false;
    return !await_ready();  // false: it ended meanwhile
  }
  ucs_status_t await_resume() const noexcept { return status_; }

 protected:
  const Request& request() const noexcept { return held_ != nullptr ? *held_ : *request_; }

 private:
  void onEnd() override {
    suspended_ = false;
    status_ = held_->getStatus();
    awaiting_.resume();
  }

  const std::shared_ptr<Request>& request_;
  std::shared_ptr<Request> held_;  // since it suspended
  std::coroutine_handle<> awaiting_;
  ucs_status_t status_ = UCS_INPROGRESS;
  bool suspended_ = false;
};

/// Awaits one request, and throws what `checkError` throws.
class RequestAwaiter : public StatusAwaiter {
 public:
  using StatusAwaiter::StatusAwaiter;
  void await_resume() const {
    if (StatusAwaiter::await_resume() != UCS_OK) request().checkError();
  }
};

inline StatusAwaiter statusOf(const std::shared_ptr<Request>& request) {
  return StatusAwaiter(request);
}

inline RequestAwaiter operator co_await(const std::shared_ptr<Request>& request) {
  return RequestAwaiter(request);
}

}  // namespace ucxx

#endif
