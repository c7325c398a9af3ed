// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/ucx_perftest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ucxx/api.h>

#include "ucp/ucx_build.h"

namespace ucxx::tools {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

/// The folder of the libucp that this process has loaded.
fs::path libraryFolder() {
  Dl_info where{};
  ::dladdr(reinterpret_cast<void*>(&ucp_get_version_string), &where);
  return where.dli_fname == nullptr ? fs::path{} : fs::canonical(where.dli_fname).parent_path();
}

std::string find() {
  // The library's own neighbour; Debian keeps libraries one folder deeper.
  const fs::path lib = libraryFolder();
  std::vector<std::string> candidates{lib.parent_path() / "bin/ucx_perftest",
                                      lib.parent_path().parent_path() / "bin/ucx_perftest",
                                      fs::path(ucp::build::kPrefix) / "bin/ucx_perftest"};
  for (const std::string& candidate : candidates)
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  throw std::runtime_error(fmt::format("no ucx_perftest beside UCX's libraries; looked at {}",
                                       fmt::join(candidates, ", ")));
}

/// A port that is free now.
std::uint16_t freePort() {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), generic, size) != 0 || ::getsockname(socket.get(), generic, &size) != 0)
    throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

/// Whether somebody listens at a port, without connecting: the server takes one client only.
bool isListening(std::uint16_t port) {
  const std::string wanted = fmt::format(":{:04X}", port);
  for (const char* name : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream table(name);
    for (std::string line; std::getline(table, line);) {
      std::istringstream words(line);
      std::string slot, local, remote, state;
      words >> slot >> local >> remote >> state;
      if (state == "0A" && local.ends_with(wanted)) return true;
    }
  }
  return false;
}

/// Of gets and atomics there is one test each, which the window makes one of bandwidth.
std::string testName(const Test& test) {
  if (isOneSided(test.kind) && test.kind != Kind::Put) return "ucp_" + nameOf(kKinds, test.kind);
  return (test.kind == Kind::Am || test.kind == Kind::Put ? "ucp_" : "") + nameOf(test);
}

}  // namespace

UcxPerftest::UcxPerftest(const Options& options) : path_(find()), options_(options) {}

/// What both sides are told.
Command UcxPerftest::command() const {
  Command command{.program = path_, .capture = true};
  for (const auto& [key, value] : options_.ucx)
    command.environment.emplace_back("UCX_" + key, value);
  // The wheel's programs do not find their libraries. A driver may lie where the caller says.
  const char* const before = std::getenv("LD_LIBRARY_PATH");  // NOLINT(concurrency-mt-unsafe)
  command.environment.emplace_back("LD_LIBRARY_PATH",
                                   before == nullptr || *before == '\0'
                                       ? libraryFolder().string()
                                       : libraryFolder().string() + ':' + before);
  // Patching mmap in place takes each process 0.4 s to start; the other way must not replace
  // malloc.
  if (std::getenv("UCX_MEM_MMAP_HOOK_MODE") == nullptr) {  // NOLINT(concurrency-mt-unsafe)
    command.environment.emplace_back("UCX_MEM_MMAP_HOOK_MODE", "reloc");
    command.environment.emplace_back("UCX_MEM_MALLOC_RELOC", "n");
  }
  return command;
}

std::unique_ptr<Child> UcxPerftest::serve(std::uint16_t& port) const {
  port = freePort();
  Command command = this->command();
  command.arguments = {"-p", std::to_string(port)};
  auto child = std::make_unique<Child>(command);
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  while (!isListening(port)) {
    if (!child->isRunning() || Clock::now() > deadline)
      throw std::runtime_error("the server of ucx_perftest did not start: " +
                               child->finish(std::chrono::seconds(0)));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return child;
}

Measured UcxPerftest::measure(const Plan& plan, const std::string& host, std::uint16_t port) const {
  Command command = this->command();
  command.arguments = {host,
                       "-p",
                       std::to_string(port),
                       "-t",
                       testName(plan.test),
                       "-f",
                       "-v",
                       "-s",
                       std::to_string(plan.size),
                       "-n",
                       std::to_string(plan.iterations),
                       "-w",
                       std::to_string(plan.warmup)};
  const auto add = [&](const char* name, const char* value) {
    command.arguments.insert(command.arguments.end(), {name, value});
  };
  if (options_.memory.hasCuda()) add("-m", nameOf(options_.memory).c_str());
  if (options_.handles_errors) command.arguments.emplace_back("-e");
  if (plan.test.metric == Metric::Bandwidth) add("-O", std::to_string(plan.window).c_str());
  if (options_.progress == Progress::Blocking || options_.progress == Progress::ThreadBlocking)
    add("-E", "sleep");
  const std::string output = Child(command).finish(options_.timeout);

  // Two lines of CSV: iterations, percentile 50, average and overall latency (us), ...
  const std::size_t header = output.find("iterations,");
  std::istringstream lines(header == output.npos ? "" : output.substr(header));
  std::string names, numbers;
  std::getline(lines, names);
  std::getline(lines, numbers);
  double iterations = 0, p50 = 0, average = 0, overall = 0;
  if (std::sscanf(numbers.c_str(), "%lf,%lf,%lf,%lf", &iterations, &p50, &average, &overall) != 4 ||
      overall <= 0)
    throw std::runtime_error("cannot read what ucx_perftest wrote: " + output);
  Measured measured{.average_us = overall};
  if (plan.test.metric == Metric::Latency) measured.p50_us = p50;
  return measured;
}

}  // namespace ucxx::tools
