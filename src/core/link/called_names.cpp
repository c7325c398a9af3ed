// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/called_names.h"

#include <algorithm>
#include <cstddef>
#include <new>

namespace ucxx::core {
namespace {

/// Names of one worker that are remembered, the last ones.
constexpr std::size_t kMostNames = 64;

}  // namespace

void CalledNames::remember(const Name& name, std::uint64_t listener) noexcept try {
  forget(name);
  if (called_.size() == kMostNames) called_.erase(called_.begin());
  called_.push_back({name, listener});
} catch (const std::bad_alloc&) {
}

void CalledNames::forget(const Name& name) noexcept {
  std::erase_if(called_, [&](const Called& one) { return one.name == name; });
}

std::optional<std::uint64_t> CalledNames::listenerAt(const Name& name) const noexcept {
  const auto found = std::find_if(called_.begin(), called_.end(),
                                  [&](const Called& one) { return one.name == name; });
  return found == called_.end() ? std::nullopt : std::optional(found->listener);
}

}  // namespace ucxx::core
