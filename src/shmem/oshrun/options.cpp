// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/options.h"

#include <algorithm>

#include <fmt/format.h>

#include "shmem/oshrun/command_line.h"
#include "shmem/oshrun/option_rules.h"
#include "shmem/oshrun/processors.h"
#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

/// What Open MPI, hydra and Slurm call MPMD: other programs after a colon.
void requireOneProgram(const std::vector<std::string>& command) {
  const auto colon = std::find(command.begin(), command.end(), ":");
  if (colon != command.end())
    refuseUse(
        "':' among the arguments: oshrun starts one program, not several (MPMD); let that program "
        "do different things by shmem_my_pe()");
}

/// To other launchers the PEs of a node are the most that it may have.
void requireOneNode(const Options& options) {
  if (options.node_pes == 0 || options.pes <= options.node_pes) return;
  refuseUse(
      fmt::format("{0}: all PEs of oshrun are on one node, this machine, and {1} are more; use "
                  "-n {2}, or leave {0} out",
                  options.node_pes_text, options.pes_text, options.node_pes));
}

void requireProcessors(const Options& options) {
  const std::size_t processors = usableProcessors().size();
  if (options.no_oversubscribe_text.empty() || processors == 0 ||
      static_cast<std::size_t>(options.pes) <= processors)
    return;
  refuseUse(
      fmt::format("{}: {} PEs are more than the {} processors that oshrun may use; leave it "
                  "out, or use fewer PEs",
                  options.no_oversubscribe_text, options.pes, processors));
}

void requireJob(Options& options) {
  if (options.command.empty()) refuseUse("no program is named; use oshrun -n N PROGRAM");
  if (options.pes == 0) options.pes = options.node_pes;
  if (options.pes == 0) refuseUse("the number of PEs is missing; use oshrun -n N PROGRAM");
  requireOneNode(options);
  requireOneProgram(options.command);
  requireProcessors(options);
}

}  // namespace

Options readOptions(int count, char** words) {
  CommandLine line =
      readCommandLine(std::vector<std::string>(words + 1, words + count), optionRules());
  Options options;
  for (const GivenOption& given : line.options) given.rule->act(given, options);
  options.command = std::move(line.command);
  if (options.wish == Options::Wish::Run) requireJob(options);
  return options;
}

}  // namespace ucxx::shmem::oshrun
