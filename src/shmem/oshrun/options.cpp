// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <getopt.h>
#include <sys/stat.h>

#include "shmem/memory/layout.h"
#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

// Those without a letter.
constexpr int kTagOutput = 256, kTimeout = 257, kBind = 258, kFolder = 259, kVersion = 260;

const option kOptions[] = {{"np", required_argument, nullptr, 'n'},
                           {"tag-output", no_argument, nullptr, kTagOutput},
                           {"timeout", required_argument, nullptr, kTimeout},
                           {"bind", required_argument, nullptr, kBind},
                           {"wdir", required_argument, nullptr, kFolder},
                           {"help", no_argument, nullptr, 'h'},
                           {"version", no_argument, nullptr, kVersion},
                           {nullptr, 0, nullptr, 0}};

[[noreturn]] void refuseUse(const std::string& text) { throw Refusal(kWrongUse, text); }

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

int readPes(std::string_view text) {
  const auto pes = parse<int>(text);
  if (!pes || *pes < 1 || *pes > kMostPes)
    refuseUse(fmt::format("-n {}: use a number of PEs from 1 to {}", text, kMostPes));
  return *pes;
}

base::Duration readTimeout(std::string_view text) {
  constexpr double kMostSeconds = 1e9;
  const auto seconds = parse<double>(text);
  if (!seconds || !(*seconds > 0) || *seconds > kMostSeconds)
    refuseUse(fmt::format("--timeout {}: use seconds, more than 0, for example 60 or 0.5", text));
  return std::chrono::ceil<base::Duration>(std::chrono::duration<double>(*seconds));
}

bool readBind(std::string_view text) {
  if (text != "none" && text != "core")
    refuseUse(fmt::format("--bind {}: use none, or core, which gives each PE a processor", text));
  return text == "core";
}

std::string readFolder(const std::string& text) {
  struct stat state {};
  if (::stat(text.c_str(), &state) != 0 || !S_ISDIR(state.st_mode))
    refuseUse(fmt::format("--wdir {}: use a folder that exists", text));
  return text;
}

/// The last one of a name counts.
void setVariable(const std::string& name, const std::string& value, Options& options) {
  std::erase_if(options.variables,
                [&](const std::string& entry) { return entry.starts_with(name + '='); });
  options.variables.push_back(name + '=' + value);
}

void readVariable(const std::string& text, Options& options) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (name.empty()) refuseUse(fmt::format("-x '{}': use NAME or NAME=VALUE", text));
  if (equals != text.npos) {
    setVariable(name, text.substr(equals + 1), options);
  } else if (const char* value = std::getenv(name.c_str())) {
    setVariable(name, value, options);
  } else {
    options.unset_variables.push_back(name);
  }
}

void readChoice(int choice, Options& options) {
  switch (choice) {
    case 'n':
      options.pes = readPes(optarg);
      break;
    case 'x':
      readVariable(optarg, options);
      break;
    case kTagOutput:
      options.tag_output = true;
      break;
    case kTimeout:
      options.timeout = readTimeout(optarg);
      options.timeout_text = optarg;
      break;
    case kBind:
      options.bind = readBind(optarg);
      break;
    case kFolder:
      options.folder = readFolder(optarg);
      break;
    case kVersion:
      options.wish = Options::Wish::Version;
      break;
    default:
      options.wish = Options::Wish::Help;
  }
}

/// What Open MPI, hydra and Slurm call MPMD: other programs behind a colon.
void requireOneProgram(const std::vector<std::string>& command) {
  const auto colon = std::find(command.begin(), command.end(), ":");
  if (colon != command.end())
    refuseUse(
        "':' among the arguments: oshrun starts one program, not several (MPMD); let that program "
        "do different things by shmem_my_pe()");
}

void requireJob(const Options& options) {
  if (options.command.empty()) refuseUse("no program is named; use oshrun -n N PROGRAM");
  if (options.pes == 0) refuseUse("the number of PEs is missing; use oshrun -n N PROGRAM");
  requireOneProgram(options.command);
}

}  // namespace

const char* const kUsage =
    R"(usage: oshrun -n N [OPTION...] PROGRAM [ARGUMENT...]

Runs N PEs of an OpenSHMEM program on this machine, and ends with them.

  -n N, -np N         how many PEs
  --tag-output        each line of output begins with its PE: [3]
  --timeout S         end the job after S seconds (exit status 124)
  --bind none|core    core: PE i runs on the i-th processor that oshrun may use
  -x NAME[=VALUE]     a variable for the PEs; without a value: the one of oshrun
  --wdir FOLDER       where the PEs run; a relative PROGRAM is looked up before
  -h, --help          this
  --version           the version

PE 0 reads the standard input. When a PE fails, the others are ended, and the exit
status is that of the PE that failed first (128 + N: signal N). Otherwise it is 0,
or the status of shmem_global_exit; 2: wrong options, 124: timeout, 126: PROGRAM
is not executable, 127: PROGRAM is not found. The memory of each PE:
SHMEM_SYMMETRIC_SIZE=2G, for example.
)";

Options readOptions(int count, char** words) {
  Options options;
  opterr = 0;
  for (;;) {
    const int at = optind;
    // "+": what comes after the program is the program's. ":": a missing value is told apart.
    const int choice = ::getopt_long_only(count, words, "+:n:x:h", kOptions, nullptr);
    if (choice == -1) break;
    if (choice == '?') refuseUse(fmt::format("unknown option '{}'; see oshrun --help", words[at]));
    if (choice == ':') refuseUse(fmt::format("{}: its value is missing", words[at]));
    readChoice(choice, options);
  }
  options.command.assign(words + optind, words + count);
  if (options.wish == Options::Wish::Run) requireJob(options);
  return options;
}

}  // namespace ucxx::shmem::oshrun
