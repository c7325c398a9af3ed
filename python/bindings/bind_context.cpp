// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>

#include <ucxx/config.h>
#include <ucxx/context.h>

#include "bind.h"
#include "without_gil.h"

namespace ucxx::python {

void bindContext(nb::module_& module) {
  nb::class_<Context>(module, "_Context")
      .def_static(
          "create",
          [](ConfigMap config, std::uint64_t features) {
            const WithoutGil released;
            return createContext(std::move(config), features);
          },
          "config"_a, "features"_a)
      .def_prop_ro("config", &Context::getConfig)
      .def_prop_ro("feature_flags", &Context::getFeatureFlags)
      .def_prop_ro("cuda_support", &Context::hasCudaSupport)
      .def_prop_ro("info", &Context::getInfo)
      .def_prop_ro("handle", [](const Context& self) {
        return reinterpret_cast<std::uintptr_t>(self.getHandle());
      });
  module.def("get_config", [] { return Config().get(); });
}

}  // namespace ucxx::python
