// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>

#include <ucxx/api.h>

namespace ucxx::kills {

/// One numbered thing on its way in a flow.
class Step {
 public:
  virtual ~Step() = default;
  virtual bool hasEnded() = 0;
  /// What it waits for now.
  virtual Request& awaited() = 0;
  /// @name It has ended
  /// @{
  virtual ucs_status_t status() const = 0;
  /// Its callback was called once, if it has one.
  virtual bool endedOnce() const = 0;
  virtual bool isRight() const = 0;
  /// For people, of one that is not right.
  virtual std::string whatIsWrong() const = 0;
  /// @}
};

}  // namespace ucxx::kills
