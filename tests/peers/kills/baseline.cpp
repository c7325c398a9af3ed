// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/baseline.h"

#include <algorithm>

#include <fmt/format.h>

namespace ucxx::kills {

void Baseline::settle() {
  const Resources now = Resources::now();
  if (runs_ < kFirstRuns) {
    before_.descriptors = std::max(before_.descriptors, now.descriptors);
    before_.threads = std::max(before_.threads, now.threads);
  }
  if (runs_ < kFirstRunsForMemory)
    before_.resident_kib = std::max(before_.resident_kib, now.resident_kib);
  ++runs_;
}

std::string Baseline::excess() const {
  const Resources now = Resources::now();
  if (runs_ < kFirstRuns) return {};
  if (now.descriptors > before_.descriptors + kSlackDescriptors)
    return fmt::format("{} descriptors, before {}", now.descriptors, before_.descriptors);
  if (now.threads > before_.threads)
    return fmt::format("{} threads, before {}", now.threads, before_.threads);
  if (runs_ >= kFirstRunsForMemory && now.resident_kib > before_.resident_kib + kSlackKib)
    return fmt::format("{} KiB resident, before {}", now.resident_kib, before_.resident_kib);
  return {};
}

}  // namespace ucxx::kills
