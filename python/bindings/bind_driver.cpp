// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <nanobind/stl/string.h>

#include "base/cuda_offer.h"
#include "bind.h"
#include "gil.h"

namespace ucxx::python {
namespace {

nb::dict describeDriver() {
  const base::cuda::Offer offer = [] {
    const WithoutGil released;  // cuInit takes long
    return base::cuda::offer();
  }();
  nb::list devices;
  for (const base::cuda::DeviceOffer& device : offer.devices)
    devices.append(base::cuda::toString(device));
  nb::dict said;
  said["is_there"] = offer.is_there;
  said["missing"] = offer.missing;
  said["version"] = offer.version;
  said["devices"] = devices;
  return said;
}

}  // namespace

void bindDriver(nb::module_& module) {
  module.def(
      "_cuda_driver", &describeDriver, nb::sig("def _cuda_driver() -> dict[str, typing.Any]"),
      "Return what CUDA's driver offers: is_there, missing (why it cannot be used, or empty),\n"
      "version (of CUDA), devices (a line each). Initialises it.");
}

}  // namespace ucxx::python
