// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/stacks.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/perftest/process.h"

namespace ucxx::peers {
namespace {

std::string firstLine(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// The name of each thread, its system call, where it waits, and its state and times.
std::string threadsOf(pid_t pid) {
  std::string text;
  std::error_code gone;
  const std::filesystem::path tasks = fmt::format("/proc/{}/task", pid);
  for (const auto& task : std::filesystem::directory_iterator(tasks, gone))
    text += fmt::format("  thread {}: call {}, waits in {}, {}\n", task.path().filename().string(),
                        firstLine(task.path() / "syscall"), firstLine(task.path() / "wchan"),
                        firstLine(task.path() / "stat"));
  return text;
}

std::string gdbOn(pid_t pid) {
  try {
    tools::Child gdb({.program = "/usr/bin/env",
                      .arguments = {"gdb", "-batch", "-nx", "-p", std::to_string(pid), "-ex",
                                    "thread apply all backtrace"},
                      .environment = {{"DEBUGINFOD_URLS", ""}},
                      .capture = true});
    return gdb.finish(std::chrono::seconds(30));
  } catch (const std::runtime_error& error) {
    return fmt::format("no stacks: {}\n", error.what());
  }
}

}  // namespace

Running runningOf(pid_t pid) {
  Running running;
  std::error_code gone;
  const std::filesystem::path tasks = fmt::format("/proc/{}/task", pid);
  for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
    const std::string line = firstLine(task.path() / "stat");
    std::istringstream words(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    char state = 0;
    std::string skipped;
    long user = 0, system = 0;
    words >> state;
    for (int i = 0; i < 10; ++i) words >> skipped;
    words >> user >> system;
    running.wants_core = running.wants_core || state == 'R';
    running.ran += std::chrono::milliseconds(1000) * (user + system) / ::sysconf(_SC_CLK_TCK);
  }
  return running;
}

std::string stacksOf(pid_t pid) {
  return fmt::format("process {}\n{}{}", pid, threadsOf(pid), gdbOn(pid));
}

}  // namespace ucxx::peers
