// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/stacks.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

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

std::string stacksOf(pid_t pid) {
  return fmt::format("process {}\n{}{}", pid, threadsOf(pid), gdbOn(pid));
}

}  // namespace ucxx::peers
