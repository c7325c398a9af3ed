// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstdlib>

#include "shmem/oshrun/environment.h"
#include "shmem/oshrun/option_actions.h"
#include "shmem/oshrun/option_values.h"
#include "shmem/oshrun/shown.h"

// The options that set environment variables of PEs.

namespace ucxx::shmem::oshrun {
namespace {

void requireFree(const std::string& name, const GivenOption& given) {
  if (isOfOshrun(name))
    refuseUse(
        fmt::format("{}: {} is a variable of oshrun, which tells each PE who it is; leave it "
                    "out",
                    given.text(), name));
}

/// The last one of a name counts.
void putVariable(const std::string& name, const std::string& value, const GivenOption& given,
                 Options& options) {
  requireFree(name, given);
  std::erase_if(options.variables,
                [&](const std::string& entry) { return entry.starts_with(name + '='); });
  options.variables.push_back(name + '=' + value);
}

void putOwnVariable(const std::string& name, const GivenOption& given, Options& options) {
  requireFree(name, given);
  if (const char* value = std::getenv(name.c_str())) {
    putVariable(name, value, given, options);
  } else {
    options.unset_variables.push_back(fmt::format("{} {}", given.name, shown(name)));
  }
}

}  // namespace

void setVariable(const GivenOption& given, Options& options) {
  const std::string& text = valueOf(given);
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (name.empty()) refuseUse(fmt::format("{}: use NAME or NAME=VALUE", given.text()));
  if (equals == text.npos) return putOwnVariable(name, given, options);
  putVariable(name, text.substr(equals + 1), given, options);
}

void setVariableAndValue(const GivenOption& given, Options& options) {
  const std::string& name = valueOf(given);
  if (name.empty() || name.find('=') != name.npos)
    refuseUse(fmt::format("{}: use {} NAME VALUE", given.text(), given.name));
  putVariable(name, given.values.back(), given, options);
}

void setVariableList(const GivenOption& given, Options& options) {
  for (const std::string& name : listIn(given)) putOwnVariable(name, given, options);
}

}  // namespace ucxx::shmem::oshrun
