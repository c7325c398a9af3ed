// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/process.h"

#include <algorithm>
#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/reason.h"

extern char** environ;

namespace ucxx::tools {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environmentOf(const Command& command) {
  std::vector<std::string> result;
  for (const auto& [name, value] : command.environment)
    result.push_back(fmt::format("{}={}", name, value));
  const auto is_set = [&](std::string_view entry) {
    return std::any_of(command.environment.begin(), command.environment.end(),
                       [&](const auto& pair) { return entry.starts_with(pair.first + '='); });
  };
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!is_set(*entry)) result.emplace_back(*entry);
  return result;
}

/// In the new process: only what is safe there, then the program.
[[noreturn]] void becomeProgram(const char* program, char** arguments, char** environment,
                                int inherited_fd, int output_fd, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  if (inherited_fd >= 0) ::fcntl(inherited_fd, F_SETFD, 0);
  if (output_fd >= 0) {
    ::dup2(output_fd, STDOUT_FILENO);
    ::dup2(output_fd, STDERR_FILENO);
  }
  ::execve(program, arguments, environment);
  ::_exit(127);
}

}  // namespace

Child::Child(const Command& command) : name_(command.program) {
  if (::access(command.program.c_str(), X_OK) != 0)
    throw std::runtime_error(fmt::format("cannot run {}: {}", command.program, reason(errno)));
  std::vector<std::string> words{command.program};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> variables = environmentOf(command);
  std::vector<char*> arguments = pointers(words), environment = pointers(variables);
  int ends[2] = {-1, -1};
  if (command.capture && ::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe: " + reason(errno));
  output_ = Descriptor(ends[0]);
  const Descriptor written(ends[1]);

  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot start a process: " + reason(errno));
  if (pid_ == 0)
    becomeProgram(command.program.c_str(), arguments.data(), environment.data(),
                  command.inherited_fd, written.get(), parent);
}

Child::~Child() {
  if (isRunning()) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
}

bool Child::isRunning() {
  if (!ended_) ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return !ended_;
}

/// Reads to the end of the output.
void Child::readUntil(Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{output_.get(), POLLIN, 0};
    if (left <= 0) return;
    if (::poll(&entry, 1, static_cast<int>(left)) <= 0) continue;
    char bytes[4096];
    const ssize_t n = ::read(output_.get(), bytes, sizeof bytes);
    if (n == 0 || (n < 0 && errno != EINTR)) return;
    if (n > 0) text_.append(bytes, static_cast<std::size_t>(n));
  }
}

void Child::waitUntil(Clock::time_point deadline) {
  while (isRunning() && Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string Child::end() {
  waitUntil(Clock::now() + std::chrono::seconds(1));
  if (!ended_) return name_ + " is still running";
  if (WIFSIGNALED(status_))
    return fmt::format("{} was ended by signal {}", name_, WTERMSIG(status_));
  return fmt::format("{} ended with status {}", name_, WEXITSTATUS(status_));
}

std::string Child::finish(std::chrono::seconds limit) {
  const auto deadline = Clock::now() + limit;
  if (output_.get() >= 0) readUntil(deadline);
  waitUntil(deadline);
  if (!ended_ || status_ != 0) throw std::runtime_error(fmt::format("{}: {}", end(), text_));
  return text_;
}

void pinTo(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    throw std::runtime_error(fmt::format("cannot run on core {}: {}", cpu, reason(errno)));
}

}  // namespace ucxx::tools
