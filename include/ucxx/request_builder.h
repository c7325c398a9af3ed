// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include <ucxx/component.h>
#include <ucxx/condition.h>
#include <ucxx/typedefs.h>

namespace ucxx::detail {

/// What carries a request: an endpoint or a worker, which it keeps alive; or neither, which
/// `build()` refuses. Moved from, it is spent.
struct RequestOwner {
  explicit RequestOwner(Endpoint& endpoint);
  explicit RequestOwner(Worker& worker);
  explicit RequestOwner(std::shared_ptr<Component> endpoint_or_worker);
  RequestOwner(RequestOwner&& other) noexcept
      : component(std::move(other.component)),
        endpoint(other.endpoint),
        worker(other.worker),
        is_spent(std::exchange(other.is_spent, true)) {}
  RequestOwner& operator=(RequestOwner&& other) noexcept {
    component = std::move(other.component);
    endpoint = other.endpoint;
    worker = other.worker;
    is_spent = std::exchange(other.is_spent, true);
    return *this;
  }
  RequestOwner(const RequestOwner&) = delete;
  RequestOwner& operator=(const RequestOwner&) = delete;
  ~RequestOwner() = default;

  std::shared_ptr<Component> component;
  Endpoint* endpoint = nullptr;
  Worker* worker = nullptr;
  bool is_spent = false;
};

/// What all request builders share: who carries the request, and the arguments. Move-only, single
/// use; only `build()` and the conversions, which call it, submit. One thread at a time.
template <class Derived, class Result, class Arguments>
class RequestBuilder {
 public:
  using Data = Arguments;
  RequestBuilder(RequestOwner owner, Data data)
      : owner_(std::move(owner)), data_(std::move(data)) {}
  RequestBuilder(const RequestBuilder&) = delete;
  RequestBuilder& operator=(const RequestBuilder&) = delete;
  RequestBuilder(RequestBuilder&&) noexcept = default;
  RequestBuilder& operator=(RequestBuilder&&) noexcept = default;

  Derived& pythonFuture(bool enable = true) & {
    future_ = enable;
    return self();
  }
  Derived&& pythonFuture(bool enable = true) && { return std::move(self().pythonFuture(enable)); }

  /// The transfer starts when this is triggered; `build()` posts it. `InvalidParamError` from
  /// `build()`, before anything is posted: the condition is closed, was triggered already, or
  /// belongs to another worker. `UnsupportedError`: it cannot wait for one (a close, a receive by a
  /// probe's handle), or not for one that repeats.
  Derived& condition(Condition condition) & {
    condition_ = std::move(condition);
    return self();
  }
  Derived&& condition(Condition condition) && {
    return std::move(self().condition(std::move(condition)));
  }

  /// Submits and fails as the positional function does; `InvalidParamError` without the endpoint or
  /// worker that it needs. `std::logic_error` the second time, also when the first one threw.
  std::shared_ptr<Result> build() {
    const RequestOwner owner = std::move(owner_);
    if (owner.is_spent) throw std::logic_error("a request builder can build only once");
    return self().submit(owner);
  }
  operator std::shared_ptr<Result>() { return build(); }   // NOLINT(google-explicit-constructor)
  operator std::shared_ptr<Request>() { return build(); }  // NOLINT(google-explicit-constructor)

 protected:
  ~RequestBuilder() = default;
  Derived& self() { return static_cast<Derived&>(*this); }

  RequestOwner owner_;
  Data data_;
  bool future_ = false;
  Condition condition_;
};

/// And those whose request can have a completion callback.
template <class Derived, class Result, class Arguments>
class CallbackRequestBuilder : public RequestBuilder<Derived, Result, Arguments> {
 public:
  using RequestBuilder<Derived, Result, Arguments>::RequestBuilder;

  Derived& callbackFunction(RequestCallbackUserFunction callback) & {
    callback_ = std::move(callback);
    return this->self();
  }
  Derived&& callbackFunction(RequestCallbackUserFunction callback) && {
    return std::move(this->self().callbackFunction(std::move(callback)));
  }
  Derived& callbackData(RequestCallbackUserData data) & {
    callback_data_ = std::move(data);
    return this->self();
  }
  Derived&& callbackData(RequestCallbackUserData data) && {
    return std::move(this->self().callbackData(std::move(data)));
  }

 protected:
  RequestCallbackUserFunction callback_;
  RequestCallbackUserData callback_data_;
};

}  // namespace ucxx::detail
