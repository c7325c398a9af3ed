// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers/faults/allocations.h"
#include "peers/faults/asked.h"
#include "peers/faults/everything.h"
#include "peers/faults/roles.h"
#include "peers/resources.h"

namespace ucxx::faults {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

std::size_t mappedBytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// What this process has now, and `more`. Its own limit is what is changed.
class Limit {
 public:
  Limit(__rlimit_resource what, std::size_t allowed) : what_(what) {
    ::getrlimit(what_, &before_);
    const rlimit low{std::min<rlim_t>(allowed, before_.rlim_max), before_.rlim_max};
    ::setrlimit(what_, &low);
  }
  ~Limit() { ::setrlimit(what_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  const __rlimit_resource what_;
  rlimit before_{};
};

/// How a process ends. `Unharmed`: an allocation has failed that it can do without.
enum End : int { Worked, Recovered, Wordless, Stays, Unharmed };

End useWith(const std::string& what, std::size_t step, bool in_threads) {
  if (what == "descriptors") {
    const Limit limit(RLIMIT_NOFILE, peers::Resources::now().descriptors + step);
    useEverything(in_threads);
    return Worked;
  }
  if (what == "addresses") {
    const Limit limit(RLIMIT_AS, mappedBytes() + step * (64 << 10));
    useEverything(in_threads);
    return Worked;
  }
  struct Injection {
    explicit Injection(std::size_t after) { failAllocation(static_cast<std::int64_t>(after)); }
    ~Injection() { failAllocation(-1); }
  } const injection(step);
  useEverything(in_threads);
  return hasAllocationFailed() ? Unharmed : Worked;
}

/// In a process of its own.
[[noreturn]] void tryOnce(const std::string& what, std::size_t step, bool in_threads) {
  ::alarm(30);  // it hangs
  End end = Recovered;
  try {
    end = useWith(what, step, in_threads);
  } catch (const std::exception& error) {
    if (error.what()[0] == '\0') ::_exit(Wordless);
  }
  try {
    useEverything(in_threads);
  } catch (const std::exception&) {
    ::_exit(Stays);
  }
  ::_exit(end);
}

/// How it ended: an `End`, a `Harm`, or minus the signal.
int endOf(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

/// {"what", "steps", "enough"}: from nothing on, until so many steps after each other just worked.
int runPoor(tools::Control& control) {
  const auto line = control.receive(kPatience);
  const std::string what = line.at("what");
  const std::size_t steps = line.at("steps"), enough = line.at("enough"),
                    stride = line.value("stride", std::size_t{1});
  const bool in_threads = line.at("threads");
  std::map<int, std::size_t> ends;
  std::vector<std::string> bad;
  std::size_t tried = 0;
  for (std::size_t step = 0, in_a_row = 0; tried < steps && in_a_row < enough; step += stride) {
    const pid_t child = ::fork();
    if (child == 0) tryOnce(what, step, in_threads);
    const int end = endOf(child);
    ++tried, ++ends[end];
    in_a_row = end == Worked ? in_a_row + 1 : 0;
    if (end != Worked && end != Recovered && end != Unharmed && bad.size() < 20)
      bad.push_back(fmt::format("{}:{}", step, end));
  }
  std::size_t crashed = 0, harmed = 0;
  for (const auto& [end, count] : ends) {
    crashed += end < 0 ? count : 0;
    harmed += end >= static_cast<int>(Harm::Hangs) ? count : 0;
  }
  control.send({{"tried", tried},
                {"worked", ends[Worked]},
                {"recovered", ends[Recovered]},
                {"unharmed", ends[Unharmed]},
                {"wordless", ends[Wordless]},
                {"stays", ends[Stays]},
                {"harmed", harmed},
                {"crashed", crashed},
                {"bad", bad}});
  return 0;
}

}  // namespace ucxx::faults
