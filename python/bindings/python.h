// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

// Python and nanobind, before everything else, as Python asks for.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <nanobind/nanobind.h>

namespace nb = nanobind;
using namespace nb::literals;
