// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "python.h"
#include "worker_state.h"

namespace ucxx::python {

/// A feature of UCX's contexts, and its name in Python.
struct FeatureName {
  std::uint64_t bit;
  const char* name;
};
constexpr FeatureName kTag{UCP_FEATURE_TAG, "TAG"}, kRma{UCP_FEATURE_RMA, "RMA"},
    kAmo32{UCP_FEATURE_AMO32, "AMO32"}, kAmo64{UCP_FEATURE_AMO64, "AMO64"},
    kStream{UCP_FEATURE_STREAM, "STREAM"}, kAm{UCP_FEATURE_AM, "AM"},
    kWakeup{UCP_FEATURE_WAKEUP, "WAKEUP"};

inline bool hasFeature(const WorkerState& state, const FeatureName& feature) noexcept {
  return (state.features & feature.bit) != 0;
}
/// False, with a Python error that names it, if the worker's context was made without the feature.
inline bool has(const WorkerState& state, const FeatureName& feature) {
  if (hasFeature(state, feature)) return true;
  PyErr_Format(PyExc_ValueError, "UCXContext must be created with `Feature.%s`", feature.name);
  return false;
}
/// The same, thrown.
inline void require(const WorkerState& state, const FeatureName& feature) {
  if (!has(state, feature)) throw nb::python_error();
}

}  // namespace ucxx::python
