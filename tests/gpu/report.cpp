// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "gpu/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>

namespace gpu {
namespace {

std::mutex writing;
bool has_errors = false;  // guarded by `writing`

void writeLine(const nlohmann::json& line) {
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

double rounded(double value) { return std::round(value * 1000) / 1000; }

}  // namespace

void fact(const std::string& name, const nlohmann::json& value, const char* unit) {
  nlohmann::json line{{"fact", name}, {"value", value}};
  if (value.is_number_float()) line["value"] = rounded(value.get<double>());
  if (unit != nullptr) line["unit"] = unit;
  const std::lock_guard lock(writing);
  writeLine(line);
}

void error(const std::string& name, const std::string& what) {
  const std::lock_guard lock(writing);
  has_errors = true;
  writeLine({{"fact", name}, {"error", what}});
}

bool hadErrors() {
  const std::lock_guard lock(writing);
  return has_errors;
}

Result answer(const std::string& name, Result result) {
  fact(name, nameOf(result));
  return result;
}

bool check(const std::string& name, Result result) {
  if (result != kSuccess) error(name, nameOf(result));
  return result == kSuccess;
}

bool expect(const std::string& name, bool is_true, const std::string& otherwise) {
  if (!is_true) error(name, otherwise);
  return is_true;
}

void must(const std::string& name, Result result) {
  if (result != kSuccess) throw Stop(name + ": " + nameOf(result));
}

void times(const std::string& name, std::vector<double> samples, const char* unit) {
  if (samples.empty()) return error(name, "no sample");
  std::sort(samples.begin(), samples.end());
  const std::lock_guard lock(writing);
  writeLine({{"fact", name},
             {"value", rounded(samples[samples.size() / 2])},
             {"lowest", rounded(samples.front())},
             {"highest", rounded(samples.back())},
             {"samples", samples.size()},
             {"unit", unit}});
}

}  // namespace gpu
