// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/processors.h"

#include <array>
#include <cctype>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sched.h>

namespace ucxx::shmem::oshrun {
namespace {

/// Room for 8192 processors, the most that Linux has.
struct Mask {
  std::array<cpu_set_t, 8> sets{};
  static constexpr std::size_t kBytes = sizeof sets;
  static constexpr int kMost = static_cast<int>(kBytes * CHAR_BIT);
};

std::string folderOf(int processor) {
  return fmt::format("/sys/devices/system/cpu/cpu{}", processor);
}

/// 0 where the system does not say.
int packageOf(int processor) {
  std::ifstream file(folderOf(processor) + "/topology/physical_package_id");
  int package = 0;
  file >> package;
  return package;
}

/// The folder of a processor has a link to that of its node: "node1".
int nodeOf(int processor) {
  constexpr std::string_view kName = "node";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folderOf(processor), error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(kName) && name.size() > kName.size() &&
        std::isdigit(static_cast<unsigned char>(name[kName.size()])) != 0)
      return std::atoi(name.c_str() + kName.size());
  }
  return 0;
}

template <class GroupOf>
std::vector<Processors> groupedBy(const GroupOf& group_of) {
  std::map<int, Processors> groups;
  for (const int processor : usableProcessors()) groups[group_of(processor)].push_back(processor);
  std::vector<Processors> places;
  for (auto& [number, processors] : groups) places.push_back(std::move(processors));
  return places;
}

}  // namespace

Processors usableProcessors() {
  Mask mask;
  Processors numbers;
  if (::sched_getaffinity(0, Mask::kBytes, mask.sets.data()) != 0) return numbers;
  for (int number = 0; number < Mask::kMost; ++number) {
    if (CPU_ISSET_S(number, Mask::kBytes, mask.sets.data())) numbers.push_back(number);
  }
  return numbers;
}

std::vector<Processors> placesOf(Binding binding) {
  switch (binding) {
    case Binding::Core:
      return groupedBy([](int processor) { return processor; });
    case Binding::Socket:
      return groupedBy(packageOf);
    case Binding::Numa:
      return groupedBy(nodeOf);
    default:
      return {};
  }
}

bool bindTo(const Processors& processors) noexcept {
  Mask mask;
  for (const int number : processors) CPU_SET_S(number, Mask::kBytes, mask.sets.data());
  return ::sched_setaffinity(0, Mask::kBytes, mask.sets.data()) == 0;
}

std::string textOf(const Processors& processors) {
  std::string text;
  for (std::size_t i = 0; i < processors.size();) {
    std::size_t last = i;
    while (last + 1 < processors.size() && processors[last + 1] == processors[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", processors[i]);
    if (last > i) text += fmt::format("-{}", processors[last]);
    i = last + 1;
  }
  return fmt::format("processor{} {}", processors.size() == 1 ? "" : "s", text);
}

}  // namespace ucxx::shmem::oshrun
