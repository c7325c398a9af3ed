// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/options.h"

#include <iterator>
#include <random>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "peers/kills/phases.h"

namespace ucxx::kills {
namespace {

constexpr const char* kDescription =
    "Kills processes in the middle of everything, and looks at those that survive.\n\n"
    "  ucxx_kills                              300 kills, a seed of its own\n"
    "  ucxx_kills --seed 7 --only 123          one run again\n"
    "  ucxx_kills --phase rung --runs 1000     always in the same step\n"
    "  ucxx_kills --phase part-copied --fault stop-go\n"
    "                                          stopped there; continued when the other end has "
    "closed\n"
    "  ucxx_kills --channel ucx-shm            UCX's shared memory, to compare";

/// Empty text: nothing.
template <class Names>
std::optional<std::size_t> find(const char* option, const Names& names, const std::string& text) {
  if (text.empty()) return std::nullopt;
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == text) return i;
  throw std::invalid_argument(
      fmt::format("{} {}: use one of {}", option, text, fmt::join(names, ", ")));
}

std::vector<std::string_view> protocolNames() {
  std::vector<std::string_view> names;
  for (const Protocol& protocol : protocols()) names.push_back(protocol.name);
  return names;
}

std::vector<std::string_view> phaseNames() {
  std::vector<std::string_view> names{nameOf(base::Phase::None)};
  for (const PhaseInfo& info : allPhases()) names.push_back(info.name);
  return names;
}

unsigned traitsOf(Channel channel) {
  switch (channel) {
    case Channel::Local:
      return kLocal | kPieces;
    case Channel::LocalCopy:
    case Channel::LocalRefused:
      return kLocal | kCopies;
    case Channel::Tcp:
      return kPieces;
    case Channel::UcxShm:
      break;
  }
  return 0;
}

struct Texts {
  std::string channel{kChannels[0]}, protocol, phase, mode, fault;
};

void read(const Texts& texts, Options& options) {
  options.channel = static_cast<Channel>(*find("--channel", kChannels, texts.channel));
  Filter& filter = options.filter;
  filter.channel = traitsOf(options.channel);
  filter.has_phases = options.channel != Channel::UcxShm;
  filter.protocol = find("--protocol", protocolNames(), texts.protocol);
  if (const auto phase = find("--phase", phaseNames(), texts.phase))
    filter.phase = *phase == 0 ? base::Phase::None : allPhases()[*phase - 1].phase;
  if (const auto mode = find("--mode", kModes, texts.mode)) filter.mode = static_cast<Mode>(*mode);
  if (const auto fault = find("--fault", kFaults, texts.fault))
    filter.fault = static_cast<Fault>(*fault);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) options.filter_words += fmt::format(" {} {}", name, value);
  };
  add("--channel", texts.channel), add("--protocol", texts.protocol);
  add("--phase", texts.phase), add("--mode", texts.mode), add("--fault", texts.fault);
  if (options.delays) options.filter_words += " --delays";
  if (options.busy != 0) add("--busy", std::to_string(options.busy));
}

}  // namespace

std::optional<Options> parseOptions(int argc, char** argv) {
  CLI::App app{kDescription, "ucxx_kills"};
  Options options;
  Texts texts;
  std::optional<std::uint64_t> seed;
  app.add_option("-n,--runs", options.runs, "How many (300)");
  app.add_option("-s,--seed", seed, "All that is random comes from it (another one each time)");
  app.add_option("--only", options.only, "Only the run of this number");
  app.add_option("--channel", texts.channel, fmt::format("{} (local)", fmt::join(kChannels, ", ")));
  app.add_option("--protocol", texts.protocol, fmt::format("{}", fmt::join(protocolNames(), ", ")));
  app.add_option("--phase", texts.phase, fmt::format("{}", fmt::join(phaseNames(), ", ")));
  app.add_option("--mode", texts.mode, fmt::format("Of the survivor: {}", fmt::join(kModes, ", ")));
  app.add_option("--fault", texts.fault,
                 fmt::format("{}; stopped in the middle of a prepared transfer (part-copied ... "
                             "ready-said): the survivor closes meanwhile",
                             fmt::join(kFaults, ", ")));
  app.add_flag("--delays", options.delays, "Some steps of the protocols take longer");
  app.add_option("--busy", options.busy,
                 "So many processes beside, of the same session, that do nothing but compute");
  app.add_option("--json", options.json, "Every run, and the sums, as JSON into this file");
  app.add_option("--commit", options.commit, "What the JSON says was tested");
  app.add_flag("-v,--verbose", options.verbose, "A line for each run");
  app.add_option("--role", options.role)->group("");
  app.add_option("--control-fd", options.control_fd)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw std::invalid_argument(error.what());
    app.exit(error);
    return std::nullopt;
  }
  options.seed = seed ? *seed : std::random_device()();
  read(texts, options);
  return options;
}

}  // namespace ucxx::kills
