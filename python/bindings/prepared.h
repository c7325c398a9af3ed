// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <ucxx/prepared.h>

#include "endpoint_object.h"
#include "python.h"
#include "view.h"

namespace ucxx::python {

/// What a prepared transfer is given. `endpoint`: the object of its endpoint.
struct PlanTerms {
  nb::handle endpoint;
  nb::handle buffer;
  std::uint64_t tag = 0;
  std::size_t partitions = 1;
  std::size_t contributors = 1;
};

/// The object of one end of a prepared transfer. It keeps the object of its endpoint. Its buffer is
/// pinned from here to the end of its close; one that is dropped closes, and leaves the pin behind.
/// With the GIL, which it lets go of where much is copied, or the caller waits.
class PlanObject {
 public:
  enum class End : std::uint8_t { Send, Recv };

  PlanObject(End end, const PlanTerms& terms);
  ~PlanObject();
  PlanObject(const PlanObject&) = delete;
  PlanObject& operator=(const PlanObject&) = delete;

  const Prepared& plan() const noexcept { return *plan_; }

  void start();
  /// @name The same by a stream of CUDA, which needs a progress thread; without the GIL
  /// Those that post something return the object of its request.
  /// @{
  nb::object startOn(nb::handle stream, StartUntil until);
  /// All of them by one post: with a condition, or, if that is None, a stream.
  static nb::object startAll(const std::vector<PlanObject*>& plans, nb::handle condition,
                             nb::handle stream, StartUntil until);
  void waitOn(nb::handle stream);
  static void waitAllOn(const std::vector<PlanObject*>& plans, nb::handle stream);
  nb::object readyOn(nb::handle stream, std::size_t first, std::size_t last);
  /// @}
  /// Its words for kernels: the address.
  std::uintptr_t deviceHandle();

  /// From `first` up to, but without, `last`. A TypeError for a receiver's end.
  void ready(std::size_t first, std::size_t last);
  /// A TypeError for a sender's end.
  bool arrived(std::size_t partition) const;
  /// Until the iteration has ended; lets other threads run, looks for Ctrl-C. Throws a
  /// TimeoutError, and what the iteration has failed with.
  void wait(std::chrono::steady_clock::time_point deadline);
  /// The object of a request that ends with the iteration.
  nb::object request() const;
  /// The object of the request that ends with the plan, which has the pin; the same each time.
  nb::object close();

  /// Both are of one worker.
  bool isBeside(const PlanObject& other) const noexcept { return state_ == other.state_; }

  int traverse(visitproc visit, void* arg) const;

 private:
  bool look() const;
  void requireSender() const;
  void noteWaits();
  void settle() const;
  /// The object of a request of the plan. The pin of the buffer stays with the plan.
  nb::object objectOf(std::shared_ptr<Request> request) const;

  const nb::object endpoint_;
  const nb::object worker_;  // the endpoint's
  WorkerState* const state_;
  View view_;
  std::shared_ptr<Prepared> plan_;
  PreparedSend* send_ = nullptr;  // `plan_`, or null
  PreparedRecv* receive_ = nullptr;
  nb::object closing_;     // null: it is not closed
  bool is_noted_ = false;  // a device may wait for it
};

/// One of the synchronous API.
struct SendPlanObject final : PlanObject {
  explicit SendPlanObject(const PlanTerms& terms) : PlanObject(End::Send, terms) {}
};
struct RecvPlanObject final : PlanObject {
  explicit RecvPlanObject(const PlanTerms& terms) : PlanObject(End::Recv, terms) {}
};
/// One of the asynchronous API, whose classes are Python.
struct AsyncPlanObject final : PlanObject {
  using PlanObject::PlanObject;
};

/// That of an argument `until=`, null for none. Throws a ValueError for what is none.
StartUntil untilOf(nb::handle given);

/// Adds to the classes what is called in each iteration: methods of Python itself, which take less
/// time than nanobind's.
void addPlanMethods(nb::handle plan_class, nb::handle send_class, nb::handle recv_class,
                    nb::handle async_class);

}  // namespace ucxx::python
