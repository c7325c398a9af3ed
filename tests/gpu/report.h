// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Facts, each a line of JSON that is written at once: what hangs or crashes later takes none along.

#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gpu/driver.h"

namespace gpu {

/// {"fact": ..., "value": ..., "unit": ...}
void fact(const std::string& name, const nlohmann::json& value, const char* unit = nullptr);

/// What was not as it has to be: {"fact": ..., "error": ...}; the program's exit status is then 1.
void error(const std::string& name, const std::string& what);
bool hadErrors();

/// A call whose result is the fact: "ok" or the name of the error, none of which is wrong.
Result answer(const std::string& name, Result result);

/// A call that has to succeed; returns whether it has.
bool check(const std::string& name, Result result);

/// What has to be true.
bool expect(const std::string& name, bool is_true, const std::string& otherwise);

/// A group cannot go on.
struct Stop : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// A call without whose success the group cannot go on.
void must(const std::string& name, Result result);

/// The median of samples, and the lowest and the highest.
void times(const std::string& name, std::vector<double> samples, const char* unit);

}  // namespace gpu
