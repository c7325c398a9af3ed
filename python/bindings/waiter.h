// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <ucxx/request.h>

#include "base/list.h"
#include "completions.h"
#include "python.h"

namespace ucxx::python {

/// Waits for the end of a transfer for Python: taken by the core, then by the completions. Its
/// worker lists it from `attach` to `run`, for who has to end what nobody else can.
class Waiter : public Continuation, public Event {
 public:
  /// Asks for the end.
  virtual void cancel() noexcept = 0;
  /// Its worker goes: it holds it no more, and ends with it.
  virtual void letGo() noexcept {}
  /// Its event loop has gone, and nobody is called back: moves what was to be called to a list.
  virtual void takeCallbacks(nb::list&) {}
  /// The references of Python's that the worker has through it.
  virtual int traverse(visitproc, void*) { return 0; }

  base::ListNode node;
};

using Waiters = base::List<Waiter, &Waiter::node>;

}  // namespace ucxx::python
