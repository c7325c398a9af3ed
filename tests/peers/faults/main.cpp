// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// ucxx_faults: see docs/explanation/faults.md.

#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "peers/faults/options.h"
#include "peers/faults/roles.h"
#include "tools/ucx_in_use.h"

namespace ucxx::faults {
namespace {

constexpr std::pair<std::string_view, int (*)(tools::Control&)> kRoles[] = {
    {"server", runServer},       {"friend", runFriend}, {"sink", runSink},    {"sender", runSender},
    {"canceller", runCanceller}, {"poor", runPoor},     {"wire", runWireBox},
};

int play(const Options& options) {
  for (const int number : {SIGPIPE, SIGINT, SIGTERM}) ::signal(number, SIG_IGN);
  tools::Control control{tools::Descriptor(options.control_fd)};
  try {
    for (const auto& [name, run] : kRoles)
      if (name == options.role) return run(control);
  } catch (const tools::PeerGone&) {
    // The orchestrator has what it wanted.
  } catch (const std::exception& error) {
    control.send({{"error", fmt::format("{}: {}", options.role, error.what())}});
  }
  return 1;
}

Outcome runRow(const Row& row, const Scale& scale) {
  try {
    return row.run(scale);
  } catch (const std::exception& error) {
    return judged(false, error.what());
  }
}

const char* nameOf(Outcome::State state) {
  switch (state) {
    case Outcome::State::Ok:
      return "ok";
    case Outcome::State::Failed:
      return "FAILED";
    case Outcome::State::NotRun:
      return "not run";
  }
  return "";
}

nlohmann::json asJson(const Row& row, const Outcome& outcome) {
  return {{"name", row.name},         {"injected", row.injected},
          {"expected", row.expected}, {"state", nameOf(outcome.state)},
          {"figure", outcome.figure}, {"figures", outcome.figures}};
}

/// Of the processes that are started: quick to start, and by no shared memory of UCX's. As tests.
constexpr std::pair<const char*, const char*> kEnvironment[] = {{"UCX_TLS", "tcp"},
                                                                {"UCX_NET_DEVICES", "lo"},
                                                                {"UCX_MEM_MMAP_HOOK_MODE", "reloc"},
                                                                {"UCX_MEM_MALLOC_RELOC", "n"}};

int orchestrate(const Options& options) {
  ::signal(SIGPIPE, SIG_IGN);
  for (const auto& [name, value] : kEnvironment) ::setenv(name, value, 0);
  fmt::print("ucxx_faults{} --seed {}\n", options.scale.quick ? " --quick" : "",
             options.scale.seed);
  nlohmann::json rows = nlohmann::json::array();
  bool all_ok = true;
  for (const Row* row : options.rows) {
    std::fflush(stdout);
    const Outcome outcome = runRow(*row, options.scale);
    all_ok = all_ok && outcome.state != Outcome::State::Failed;
    fmt::print("\n{:<12}{}\n  injected  {}\n  expected  {}\n  figure    {}\n", row->name,
               nameOf(outcome.state), row->injected, row->expected, outcome.figure);
    rows.push_back(asJson(*row, outcome));
  }
  if (!options.json.empty()) {
    const nlohmann::json all{{"commit", options.commit},
                             {"seed", options.scale.seed},
                             {"quick", options.scale.quick},
                             {"ucx", tools::ucxInUse().version},
                             {"rows", rows}};
    std::ofstream(options.json) << all.dump(1) << '\n';
  }
  return all_ok ? 0 : 1;
}

}  // namespace
}  // namespace ucxx::faults

int main(int argc, char** argv) {
  using namespace ucxx::faults;
  try {
    const auto options = parseOptions(argc, argv);
    if (!options) return 0;
    return options->role.empty() ? orchestrate(*options) : play(*options);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "ucxx_faults: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ucxx_faults: {}\n", error.what());
    return 1;
  }
}
