// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::python {

/// @name Dumps of all workers at a signal
/// By a thread that never takes the GIL: it works while Python computes, and while a thread waits
/// in C++. Signals that come while it writes make one more dump. With the GIL.
/// @{
/// From now on `signal` has all workers dumped to `descriptor`, which is taken, or with -1 to
/// standard error. Throws `std::invalid_argument` for one that cannot be handled, and
/// `std::runtime_error` for one that another handler has.
void dumpOnSignal(int signal, int descriptor);
/// The end of the interpreter: the signal does nothing from now on.
void endDumps();
/// The signal does nothing in a forked child, until it asks for it.
void forgetDumpsInChild() noexcept;
/// @}

}  // namespace ucxx::python
