// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucs/type/status.h>

namespace ucxx::core {

struct Operation;

/// What lets an operation wait for its start, as the operation sees it: `Armed` alone is one.
class Arming {
 public:
  Arming(const Arming&) = delete;
  Arming& operator=(const Arming&) = delete;

  /// Takes the operation off all lists. False: a repetition of it is under way, with its buffer.
  virtual bool disarm() noexcept = 0;
  /// Ends the operation, which is armed, with `status`. False: it ends with its repetition.
  virtual bool end(ucs_status_t status) noexcept = 0;
  /// What the operation ends with that has ended with `status`.
  virtual ucs_status_t statusOf(ucs_status_t status) const noexcept = 0;
  /// That is under way; null: there is none.
  virtual Operation* repetition() const noexcept = 0;

 protected:
  Arming() = default;
  ~Arming() = default;
};

}  // namespace ucxx::core
