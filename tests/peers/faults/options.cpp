// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/options.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ucxx::faults {
namespace {

constexpr const char* kDescription =
    "Injects faults, one row of docs/explanation/faults.md after the other, and measures what they "
    "do.\n\n"
    "  ucxx_faults                        all of them\n"
    "  ucxx_faults --quick                a minute\n"
    "  ucxx_faults strangers garbage      some";

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const Row& row : allRows()) result.push_back(row.name);
  return result;
}

const Row& find(const std::string& name) {
  const auto rows = allRows();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  if (found != rows.end()) return *found;
  throw std::invalid_argument(
      fmt::format("no row \"{}\": use one of {}", name, fmt::join(names(), ", ")));
}

}  // namespace

std::optional<Options> parseOptions(int argc, char** argv) {
  CLI::App app{kDescription, "ucxx_faults"};
  Options options;
  std::vector<std::string> only;
  std::optional<std::uint64_t> seed;
  app.add_option("rows,--only", only, fmt::format("{} (all)", fmt::join(names(), ", ")));
  app.add_flag("--quick", options.scale.quick, "Less of each");
  app.add_option("-s,--seed", seed, "All that is random comes from it (another one each time)");
  app.add_option("--json", options.json, "All figures as JSON into this file");
  app.add_option("--commit", options.commit, "What the JSON says was tested");
  app.add_option("--role", options.role)->group("");
  app.add_option("--control-fd", options.control_fd)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw std::invalid_argument(error.what());
    app.exit(error);
    return std::nullopt;
  }
  options.scale.seed = seed ? *seed : std::random_device()();
  for (const std::string& name : only) options.rows.push_back(&find(name));
  if (only.empty())
    for (const Row& row : allRows()) options.rows.push_back(&row);
  return options;
}

}  // namespace ucxx::faults
