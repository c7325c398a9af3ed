// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include <ucxx/condition.h>
#include <ucxx/request.h>

#include "python.h"

namespace ucxx::python {

/// The object of a condition. It does not keep the worker that it belongs to. With the GIL.
class ConditionObject {
 public:
  explicit ConditionObject(Condition condition) : condition_(std::move(condition)) {}
  ~ConditionObject();
  ConditionObject(const ConditionObject&) = delete;
  ConditionObject& operator=(const ConditionObject&) = delete;

  const Condition& condition() const noexcept { return condition_; }

  /// Posts what `builder` says, with this condition; `worker`: the object of its worker.
  template <class Builder>
  std::shared_ptr<Request> post(nb::handle worker, Builder builder) {
    nb::object reference = referenceTo(worker);
    std::shared_ptr<Request> request = builder.condition(condition_).build();
    worker_ = std::move(reference);
    return request;
  }
  void trigger();
  void close();
  /// Until it has ended so often; lets other threads run, looks for Ctrl-C. Throws a TimeoutError,
  /// or `CanceledError`: it is closed before.
  void wait(std::uint64_t epoch, std::chrono::steady_clock::time_point deadline);

 private:
  nb::object referenceTo(nb::handle worker) const;
  nb::object worker() const;
  void settle() const;
  void settleAndArm() const;

  const Condition condition_;
  nb::object worker_;  // a weak reference to that of its first post; null before
};

/// That of an argument `condition=`. Throws a TypeError for what is none.
ConditionObject& conditionOf(nb::handle given);

/// Posts what the builder says that `builder()` makes, to wait for the condition `given`. Not a
/// part of what is called for each message.
template <class MakeBuilder>
__attribute__((cold, noinline)) std::shared_ptr<Request> postArmed(nb::handle given,
                                                                   nb::handle worker,
                                                                   const MakeBuilder& builder) {
  return conditionOf(given).post(worker, builder());
}

/// Posts a transfer: as `plain()` does, or, given a condition, by a builder. `given`: an argument
/// `condition=`, null or None for none.
template <class Plain, class MakeBuilder>
std::shared_ptr<Request> post(nb::handle given, nb::handle worker, const Plain& plain,
                              const MakeBuilder& builder) {
  if (given.ptr() == nullptr || given.is_none()) [[likely]]
    return plain();
  return postArmed(given, worker, builder);
}

}  // namespace ucxx::python
