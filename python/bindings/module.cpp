// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// ucxx._core: what the Python files of the package are made of.

#include <ucxx/version.h>

#include "bind.h"
#include "copies_without_gil.h"
#include "without_gil.h"

// "0.1.0"
#define UCXX_TEXT_OF(x) #x
#define UCXX_DOTTED(major, minor, patch) \
  UCXX_TEXT_OF(major) "." UCXX_TEXT_OF(minor) "." UCXX_TEXT_OF(patch)

NB_MODULE(_core, module) {
  using namespace ucxx::python;
  nb::set_leak_warnings(false);  // what is alive at the end of a program is no leak of ours

  module.attr("__version__") =
      UCXX_DOTTED(UCXX_VERSION_MAJOR, UCXX_VERSION_MINOR, UCXX_VERSION_PATCH);
  module.attr("__git_commit__") = UCXX_GIT_COMMIT;  // empty: not built from a clone
  CopiesWithoutGil::listen();
  waitWithoutGil();
  bindErrors(module);
  bindRequest(module);
  bindReceived(module);
  bindDeviceBuffer(module);
  bindBuffer(module);
  bindContext(module);
  bindCondition(module);
  bindCuda(module);
  bindDriver(module);
  bindWorker(module);
  bindEndpoint(module);
  bindListener(module);
  bindMemory(module);
  bindObserve(module);
  bindPool(module);
  bindPrepared(module);
}
