// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/complaints.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/status.h"
#include "ucp/library.h"

namespace ucxx::ucp {
namespace {

constinit thread_local Complaints* listening = nullptr;

/// A line says what matters first; UCX has been seen to log hundreds.
constexpr std::size_t kMostLines = 4;

/// "Invalid value for CONN_NB: 'perhaps'. Expected: <y|n>" names a setting of TCP without its
/// transport. Returns "UCX_TCP_CONN_NB=perhaps" where the environment has that, else nothing.
std::string_view culprit(std::string_view line) {
  static constexpr std::string_view kBefore = "Invalid value for ", kBetween = ": '";
  if (!line.starts_with(kBefore)) return {};
  const std::size_t colon = line.find(kBetween);
  if (colon == std::string_view::npos) return {};
  const std::string_view key = line.substr(kBefore.size(), colon - kBefore.size());
  const std::string_view rest = line.substr(colon + kBetween.size());
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view entry(*variable);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !entry.starts_with("UCX_")) continue;
    const std::string_view name = entry.substr(0, equals), value = entry.substr(equals + 1);
    if (name.ends_with(fmt::format("_{}", key)) && rest.starts_with(fmt::format("{}'", value)))
      return entry;
  }
  return {};
}

}  // namespace

Complaints::Complaints() noexcept : outer_(std::exchange(listening, this)) {}

Complaints::~Complaints() { listening = outer_; }

bool Complaints::isListening() noexcept { return listening != nullptr; }

void Complaints::hear(std::string_view line) noexcept {
  if (listening == nullptr || listening->lines_.size() >= kMostLines) return;
  try {
    listening->lines_.emplace_back(line);
  } catch (...) {  // out of memory: the exception says less
  }
}

void Complaints::check(ucs_status_t status, const std::string& what) const {
  if (status == UCS_OK) return;
  std::string text = fmt::format("{}: {}", what, statusText(status));
  if (!lines_.empty()) text += fmt::format(" (UCX: {})", fmt::join(lines_, "; "));
  for (const std::string& line : lines_) {
    const std::string_view entry = culprit(line);
    if (!entry.empty()) text += fmt::format("; the environment has {}", entry);
  }
  base::throwStatus(status, text);
}

}  // namespace ucxx::ucp
