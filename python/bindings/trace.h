// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "python.h"

namespace ucxx::python {

struct RequestObject;

/// A trace of transfers: who posted each, when it began, and when Python saw its end. Everything
/// needs the GIL. While it is off, a transfer costs two looks at `is_on`.
struct Trace {
  static inline bool is_on = false;

  /// Inside the call that posts a transfer, before it does.
  static void posting() noexcept {
    if (is_on) [[unlikely]]
      notePost();
  }
  static void began(const RequestObject& request) noexcept {
    if (is_on) [[unlikely]]
      noteBegin(request);
  }
  static void ended(const RequestObject& request) noexcept {
    if (is_on) [[unlikely]]
      noteEnd(request);
  }

 private:
  static void notePost() noexcept;
  static void noteBegin(const RequestObject& request) noexcept;
  static void noteEnd(const RequestObject& request) noexcept;
};

void bindTrace(nb::module_& module);

}  // namespace ucxx::python
