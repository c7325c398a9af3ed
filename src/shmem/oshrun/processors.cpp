// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/processors.h"

#include <array>
#include <climits>
#include <cstddef>

#include <sched.h>

namespace ucxx::shmem::oshrun {
namespace {

/// Room for 8192 processors, the most that Linux has.
struct Mask {
  std::array<cpu_set_t, 8> sets{};
  static constexpr std::size_t kBytes = sizeof sets;
  static constexpr int kMost = static_cast<int>(kBytes * CHAR_BIT);
};

}  // namespace

std::vector<int> usableProcessors() {
  Mask mask;
  std::vector<int> numbers;
  if (::sched_getaffinity(0, Mask::kBytes, mask.sets.data()) != 0) return numbers;
  for (int number = 0; number < Mask::kMost; ++number) {
    if (CPU_ISSET_S(number, Mask::kBytes, mask.sets.data())) numbers.push_back(number);
  }
  return numbers;
}

bool bindTo(int processor) noexcept {
  Mask mask;
  CPU_SET_S(processor, Mask::kBytes, mask.sets.data());
  return ::sched_setaffinity(0, Mask::kBytes, mask.sets.data()) == 0;
}

}  // namespace ucxx::shmem::oshrun
