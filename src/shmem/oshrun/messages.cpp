// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/messages.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <sys/wait.h>

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::size_t kMostNamed = 8;

/// "0", "0 and 1", "0, 1 and 2", "0, 1, ... 7 and 12 more".
std::string listOf(const std::vector<int>& numbers) {
  const std::size_t named = std::min(numbers.size(), kMostNamed);
  const std::size_t more = numbers.size() - named;
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    const bool is_last = i + 1 == named && more == 0;
    text += fmt::format("{}{}", i == 0 ? "" : is_last ? " and " : ", ", numbers[i]);
  }
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

std::string wereAt(const std::vector<int>& numbers, const std::string& what) {
  const bool is_one = numbers.size() == 1;
  return fmt::format("{} {} {} {}", is_one ? "PE" : "PEs", listOf(numbers), is_one ? "was" : "were",
                     what);
}

/// By what they did, in the order of the first PE of each.
std::vector<std::pair<std::string, std::vector<int>>> grouped(const Calls& calls) {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (const auto& entry : calls) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& other) { return other.first == entry.second; });
    if (group == groups.end()) group = groups.insert(group, {entry.second, {}});
    group->second.push_back(entry.first);
  }
  return groups;
}

}  // namespace

std::string nameOf(const Pe& pe) { return fmt::format("PE {} (pid {})", pe.number, pe.pid); }

std::string signalText(int number) {
  return fmt::format("signal {} ({})", number, ::strsignal(number));
}

std::string endOf(const Pe& pe) {
  const int end = pe.end.value_or(0);
  if (WIFSIGNALED(end))
    return fmt::format("{} was killed by {}", nameOf(pe), signalText(WTERMSIG(end)));
  return fmt::format("{} exited with status {}", nameOf(pe), WEXITSTATUS(end));
}

std::string leavingOf(const Pe& pe, PeState state) {
  switch (state) {
    case PeState::Finalized:
      return endOf(pe) + " after shmem_finalize";
    case PeState::Running:
      return endOf(pe) + " without shmem_finalize";
    default:
      return endOf(pe) + " without shmem_init";
  }
}

Calls callsOf(const Pes& pes, const JobMemory& memory) {
  Calls calls;
  for (const Pe& pe : pes) {
    if (pe.end) continue;
    if (const auto wait = memory.waitOf(pe.number))
      calls.emplace_back(pe.number, "in " + wait->call);
  }
  return calls;
}

Calls allCallsOf(const Pes& pes, const JobMemory& memory) {
  Calls calls;
  for (const Pe& pe : pes) {
    if (pe.end) continue;
    const auto wait = memory.waitOf(pe.number);
    calls.emplace_back(pe.number, pe.isStopped() ? "stopped"
                                  : wait         ? "in " + wait->call
                                                 : "in no call that waits");
  }
  return calls;
}

std::string callsText(const Calls& calls) {
  std::string text;
  for (const auto& [what, numbers] : grouped(calls)) {
    text += text.empty() ? "; " : ", ";
    text += wereAt(numbers, what);
  }
  return text;
}

}  // namespace ucxx::shmem::oshrun
