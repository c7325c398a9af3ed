// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <sched.h>
#include <shmemx.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Jobs that the test starts itself, without oshrun: it forks the processes and brings them an
// allgather.

namespace ucxx::test {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

/// In memory that the processes share. A process that does not come is an error of all after some
/// seconds.
class Board {
 public:
  static constexpr int kMostRanks = 8, kMostTurns = 4;
  static constexpr std::size_t kMostBytes = 4096;
  static constexpr auto kPatience = std::chrono::seconds(8);

  /// 0; -1: one has not come, or has failed.
  int gather(int turn, int rank, int size, const void* mine, void* all, std::size_t bytes) {
    if (turn >= kMostTurns || bytes > kMostBytes) return -1;
    std::memcpy(data_[turn][rank], mine, bytes);
    arrived_[turn].fetch_add(1);
    if (!hasCome(turn, size)) return -1;
    for (int from = 0; from < size; ++from)
      std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(from) * bytes,
                  data_[turn][from], bytes);
    return 0;
  }
  void fail() { has_failed_ = true; }
  /// Waits a while until so many have come.
  bool hasCome(int turn, int size) const {
    const auto end = Clock::now() + kPatience;
    while (arrived_[turn] < size) {
      if (has_failed_ || Clock::now() > end) return false;
      ::sched_yield();
    }
    return true;
  }

  /// Words for the test's own use.
  std::atomic<int> marks[4];

 private:
  std::atomic<bool> has_failed_;
  std::atomic<int> arrived_[kMostTurns];
  char data_[kMostTurns][kMostRanks][kMostBytes];
};

/// One process of a job, in that process.
struct Process {
  int rank, size;
  Board& board;
  int turns = 0;                    ///< how often its allgather was called
  bool fails = false;               ///< its allgather does, and lets the others know
  bool succeeds_elsewhere = false;  ///< it does what it should, on all but this process
  void (*then)() = nullptr;         ///< called behind its work

  static int allgather(const void* mine, void* all, std::size_t bytes, void* context) {
    auto& process = *static_cast<Process*>(context);
    const int turn = process.turns++;
    if (process.fails) {
      process.board.fail();
      return 17;
    }
    const int status = process.board.gather(turn, process.rank, process.size, mine, all, bytes);
    if (process.then != nullptr) process.then();
    return process.succeeds_elsewhere ? 17 : status;
  }
  int init() {
    int provided = -1;
    return shmemx_init_with(rank, size, allgather, this, SHMEM_THREAD_MULTIPLE, &provided);
  }
  /// Waits until a mark has a value.
  void await(int mark, int value) const {
    while (board.marks[mark] < value) ::sched_yield();
  }
};

[[noreturn]] inline void failTest(const char* what, int line, const std::string& said) {
  std::fprintf(stderr, "line %d: %s; the processes said:\n%s", line, what, said.c_str());
  std::exit(1);  // NOLINT(concurrency-mt-unsafe)
}

/// A job; of the test process.
class Job {
 public:
  using Body = std::function<int(Process&)>;

  /// Each process ends with what the body returns.
  Job(int size, const Body& body) : size_(size), errors_(std::tmpfile()) {
    void* const memory =
        ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (errors_ == nullptr || memory == MAP_FAILED) failTest("no memory", __LINE__, "");
    board_ = new (memory) Board{};
    for (int rank = 0; rank < size; ++rank) start(rank, body);
  }
  ~Job() {
    ::munmap(board_, sizeof(Board));
    std::fclose(errors_);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Waits for all; for this one first, so that nothing of it is left while others run.
  Job& end(int first = 0) {
    reap(first);
    for (int rank = 0; rank < size_; ++rank) {
      if (rank != first) reap(rank);
    }
    return *this;
  }

  pid_t pid(int rank) const { return pids_[static_cast<std::size_t>(rank)]; }
  Board& board() { return *board_; }
  int status(int rank) const { return statuses_[static_cast<std::size_t>(rank)]; }
  bool hasExited(int rank, int with) const {
    return WIFEXITED(status(rank)) && WEXITSTATUS(status(rank)) == with;
  }
  bool wasKilled(int rank, int by) const {
    return WIFSIGNALED(status(rank)) && WTERMSIG(status(rank)) == by;
  }
  Seconds lasted() const { return Clock::now() - begin_; }

  /// What the processes wrote to standard error.
  std::string said() const {
    std::string text(1 << 16, '\0');
    std::rewind(errors_);
    text.resize(std::fread(text.data(), 1, text.size(), errors_));
    return text;
  }
  bool hasSaid(const std::string& what) const { return said().find(what) != std::string::npos; }

 private:
  void reap(int rank) { ::waitpid(pid(rank), &statuses_[static_cast<std::size_t>(rank)], 0); }
  void start(int rank, const Body& body) {
    const pid_t pid = ::fork();
    if (pid != 0) {
      pids_.push_back(pid);
      statuses_.push_back(-1);
      return;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(::fileno(errors_), STDERR_FILENO);
    Process process{rank, size_, *board_};
    ::_exit(body(process));
  }

  int size_;
  std::FILE* errors_;
  Board* board_ = nullptr;
  std::vector<pid_t> pids_;
  std::vector<int> statuses_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace ucxx::test
