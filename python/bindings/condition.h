// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include <ucxx/condition.h>
#include <ucxx/request.h>

#include "device.h"
#include "producer.h"
#include "python.h"
#include "room_waiter.h"
#include "without_gil.h"

namespace ucxx::python {

/// The object of a condition. It does not keep the worker that it belongs to. With the GIL.
class ConditionObject {
 public:
  enum class Kind : std::uint8_t { Host, Stream, Graph, Kernel };

  explicit ConditionObject(Condition condition, Kind kind = Kind::Host,
                           CUstream_st* stream = nullptr);
  ~ConditionObject();
  ConditionObject(const ConditionObject&) = delete;
  ConditionObject& operator=(const ConditionObject&) = delete;

  /// The end of the interpreter: kernels that wait for one of theirs are told. Those with transfers
  /// end with these; of one without any nobody else knows.
  static void closeThoseOfKernels();

  const Condition& condition() const noexcept { return condition_; }
  Kind kind() const noexcept { return kind_; }
  /// Who uses the buffers of its transfers.
  const Consumer& consumer() const noexcept { return consumer_; }
  /// Throws `InvalidParamError` for what a post to that worker would be refused for, as far as that
  /// is known before; `worker`: its object.
  void requireOpen(nb::handle worker) const;

  /// Posts what `builder` says, with this condition; `worker`: the object of its worker. Without
  /// the GIL where a device triggers: a call of its driver may wait.
  template <class Builder>
  std::shared_ptr<Request> post(nb::handle worker, Builder builder) {
    nb::object reference = referenceTo(worker);
    builder.condition(condition_);
    std::shared_ptr<Request> request =
        kind_ == Kind::Host ? builder.build() : postByDevice(worker, builder);
    worker_ = std::move(reference);
    return request;
  }
  void trigger();
  void close();
  /// Until it has ended so often; lets other threads run, looks for Ctrl-C. Throws a TimeoutError,
  /// or `CanceledError`: it is closed before.
  void wait(std::uint64_t epoch, std::chrono::steady_clock::time_point deadline);

 private:
  template <class Builder>
  static std::shared_ptr<Request> postByDevice(nb::handle worker, Builder& builder) {
    requireThreadOf(worker);
    std::shared_ptr<Request> request =
        postToDevice(*nb::inst_ptr<WorkerState>(worker),
                     [&]() -> std::shared_ptr<Request> { return builder.build(); });
    noteDeviceWaits(request);
    return request;
  }
  nb::object referenceTo(nb::handle worker) const;
  nb::object worker() const;
  void settle() const;
  void settleAndArm() const;
  static void requireThreadOf(nb::handle worker);

  const Condition condition_;
  const Kind kind_;
  const Consumer consumer_;
  bool is_closed_ = false;
  nb::object worker_;  // a weak reference to that of its first post; null before
};

/// That of an argument `condition=`. Throws a TypeError for what is none.
ConditionObject& conditionOf(nb::handle given);
/// Who uses the buffer of a transfer that is posted to a worker with an argument `condition=`, null
/// for none. Throws as `requireOpen` where a stream would be told to wait for the producer.
Consumer consumerOf(nb::handle given, nb::handle worker);

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
