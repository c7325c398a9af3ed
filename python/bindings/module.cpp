// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// ucxx._core: what the Python files of the package are made of.

#include <ucxx/version.h>

#include "bind.h"

NB_MODULE(_core, module) {
  using namespace ucxx::python;
  nb::set_leak_warnings(false);  // what is alive at the end of a program is no leak of ours

  bindErrors(module);
  bindRequest(module);
  bindReceived(module);
  bindBuffer(module);
  bindContext(module);
  bindWorker(module);
  bindEndpoint(module);
  bindListener(module);
  bindMemory(module);
}
