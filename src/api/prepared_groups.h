// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <vector>

#include <ucxx/prepared.h>

namespace ucxx::core {

/// Posts of prepared transfers, of several by one.
class PreparedGroups {
 public:
  using Plans = std::vector<Prepared*>;

  /// Those of the user, which are at least one, of one worker, and each once. Throws
  /// `InvalidParamError`, which names `call`.
  static Plans checked(const std::vector<std::shared_ptr<Prepared>>& plans, const char* call);
  static std::shared_ptr<Request> start(const Condition& condition, const Plans& plans,
                                        StartUntil until, RequestCallbackUserFunction&& callback,
                                        RequestCallbackUserData&& data);
  /// What ends with the iterations that are in progress when it is triggered, after all starts that
  /// were triggered before.
  static std::shared_ptr<Request> endInTurn(const Condition& condition, const Plans& plans);

  /// The start of `plan` that was posted last, as `Prepared` has it.
  static std::shared_ptr<Request> lastPosted(Prepared& plan);
  /// `start` ends with the iteration, not as soon as that has begun.
  static bool endsWithIteration(const Request& start) noexcept;

 private:
  static std::shared_ptr<Request> endOf(Prepared& plan);
};

}  // namespace ucxx::core
