// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <sys/ptrace.h>
#include <sys/user.h>

#include "figures.h"

/// Counts instructions exactly, where a virtual machine has no counters for them: a child process
/// runs, and its parent steps through what lies between two marks.
namespace figures {

enum class Mark : std::uint64_t { Begin = 1, Pause, Tick, End };
constexpr std::uint64_t kMark = 0x5eed0000;

#ifdef __x86_64__

/// A stop of the child, which its parent understands. `name` is a literal: both have it.
inline void mark(Mark which, const char* name = nullptr) {
  auto word = kMark | static_cast<std::uint64_t>(which);
  asm volatile("int3" : "+a"(word) : "D"(name) : "memory");
}

/// In the child: what `step` takes, `times` times.
template <class Step>
void countSteps(const char* name, int times, Step step) {
  mark(Mark::Begin);
  for (int i = 0; i < times; ++i) {
    step();
    mark(Mark::Tick);
  }
  mark(Mark::Pause);
  mark(Mark::End, name);
}

/// In the parent.
class Stepper {
 public:
  /// Instructions of each time, by name.
  using Counts = std::map<std::string, std::vector<double>>;

  /// Runs `body` in a child, to its end.
  Counts run(const std::function<void()>& body) {
    pid_ = ::fork();
    if (pid_ == 0) runChild(body);
    int status = 0, signal = 0;
    while (::waitpid(pid_, &status, 0) == pid_ && WIFSTOPPED(status)) {
      signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
      if (signal == 0) onTrap();
      if (::ptrace(is_stepping_ ? PTRACE_SINGLESTEP : PTRACE_CONT, pid_, nullptr, signal) != 0)
        throw std::runtime_error("the child cannot be traced");
    }
    if (status != 0) throw std::runtime_error("the child has failed");
    return std::move(counts_);
  }

 private:
  enum class Kind { Other, Mark, ReadTsc, Repeated };

  [[noreturn]] static void runChild(const std::function<void()>& body) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
        throw std::runtime_error("this process may not be traced");
      body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      ::_exit(1);
    }
    ::_exit(0);
  }

  void onTrap() {
    user_regs_struct registers{};
    ::ptrace(PTRACE_GETREGS, pid_, nullptr, &registers);
    if (registers.rax >> 16 == kMark >> 16 && kindAt(registers.rip - 1) == Kind::Mark)
      onMark(registers);
    if (is_stepping_) count(registers);
  }
  void onMark(user_regs_struct& registers) {
    switch (static_cast<Mark>(registers.rax & 0xffff)) {
      case Mark::Begin:
        is_stepping_ = true;
        count_ = 0;
        break;
      case Mark::Pause:
        is_stepping_ = false;
        break;
      case Mark::Tick:
        ticks_.push_back(count_);
        count_ = 0;
        break;
      case Mark::End:
        counts_[reinterpret_cast<const char*>(registers.rdi)] = std::exchange(ticks_, {});
        break;
    }
    registers.rax = 0;  // it is seen once
    ::ptrace(PTRACE_SETREGS, pid_, nullptr, &registers);
  }
  /// The instruction that comes next. Time stands nearly still for what is counted: it would run
  /// into its timers.
  void count(user_regs_struct& registers) {
    Kind kind = kindAt(registers.rip);
    for (; kind == Kind::ReadTsc; kind = kindAt(registers.rip)) {
      ++count_;
      ++tsc_;
      registers.rip += code_[0] == 0x0f && code_[1] == 0x31 ? 2 : 3;
      registers.rax = static_cast<std::uint32_t>(tsc_);
      registers.rdx = tsc_ >> 32;
      ::ptrace(PTRACE_SETREGS, pid_, nullptr, &registers);
    }
    if (kind == Kind::Mark || (kind == Kind::Repeated && registers.rip == last_)) return;
    last_ = registers.rip;
    ++count_;
    ++tsc_;
  }
  Kind kindAt(std::uint64_t address) {
    const auto known = code_at_.find(address);
    if (known == code_at_.end()) {
      const long word = ::ptrace(PTRACE_PEEKTEXT, pid_, address, nullptr);
      std::memcpy(code_at_[address].data(), &word, sizeof word);
    }
    code_ = code_at_[address];
    if (code_[0] == 0xcc) return Kind::Mark;
    if (code_[0] == 0x0f && (code_[1] == 0x31 || (code_[1] == 0x01 && code_[2] == 0xf9)))
      return Kind::ReadTsc;
    return code_[0] == 0xf2 || code_[0] == 0xf3 ? Kind::Repeated : Kind::Other;
  }

  pid_t pid_ = -1;
  bool is_stepping_ = false;
  double count_ = 0;
  std::uint64_t tsc_ = __builtin_ia32_rdtsc(), last_ = 0;
  std::array<std::uint8_t, sizeof(long)> code_{};
  std::unordered_map<std::uint64_t, std::array<std::uint8_t, sizeof(long)>> code_at_;
  std::vector<double> ticks_;
  Counts counts_;
};

#endif

}  // namespace figures
