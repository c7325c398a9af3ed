// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <iterator>
#include <span>

#include "shmem/oshrun/option_actions.h"
#include "shmem/oshrun/option_values.h"

// The options that say which processors PEs run on.

namespace ucxx::shmem::oshrun {
namespace {

struct NamedBinding {
  std::string_view name;
  Binding binding;
};
constexpr NamedBinding kBindings[] = {
    {"none", Binding::None},      {"core", Binding::Core}, {"socket", Binding::Socket},
    {"package", Binding::Socket}, {"numa", Binding::Numa},
};

/// No-overload is a processor at least for each PE.
void modify(std::string_view modifier, const GivenOption& given, Options& options) {
  if (modifier == "no-overload") {
    options.no_oversubscribe_text = given.text();
  } else if (modifier != "overload-allowed" && modifier != "if-supported") {
    refuseModifier(given, modifier, "overload-allowed, no-overload or if-supported");
  }
}

void bind(std::string_view value, const GivenOption& given, Options& options) {
  const std::vector<std::string> words = wordsOf(value);
  const auto found = std::find_if(std::begin(kBindings), std::end(kBindings),
                                  [&](const auto& it) { return it.name == words.front(); });
  if (found == std::end(kBindings))
    refuseUse(
        fmt::format("{}: use none, or core, which gives each PE a processor, or socket or "
                    "numa, which give it those of a processor package or a NUMA node",
                    given.text()));
  for (const std::string& word : std::span(words).subspan(1)) modify(word, given, options);
  options.binding = found->binding;
  options.binding_text = given.text();
}

}  // namespace

void setBinding(const GivenOption& given, Options& options) {
  bind(valueOf(given), given, options);
}

void setNamedBinding(const GivenOption& given, Options& options) {
  bind(given.rule->text, given, options);
}

}  // namespace ucxx::shmem::oshrun
