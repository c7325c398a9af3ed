// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <span>

#include "shmem/memory/layout.h"
#include "shmem/oshrun/option_actions.h"
#include "shmem/oshrun/option_values.h"

// The options that say how many PEs there are.

namespace ucxx::shmem::oshrun {
namespace {

using Words = std::span<const std::string>;

int readPes(const GivenOption& given, std::string_view text) {
  const auto pes = parse<int>(text);
  if (!pes || *pes < 1 || *pes > kMostPes)
    refuseUse(fmt::format("{}: use a number of PEs from 1 to {}", given.text(), kMostPes));
  return *pes;
}

void setNodePes(int pes, const GivenOption& given, Options& options) {
  setOnce(options.node_pes, options.node_pes_text, pes, given, "numbers of PEs of a node");
}

constexpr std::string_view kObjects[] = {"hwthread", "core",    "l1cache", "l2cache", "l3cache",
                                         "socket",   "package", "numa",    "board",   "slot"};
constexpr std::string_view kIdleModifiers[] = {"span",    "pe",        "hwtcpus", "corecpus",
                                               "inherit", "noinherit", "display", "ordered"};

bool isOneOf(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Takes "ppr", "2", "node" from the front of the words; tells whether they are a number of PEs.
bool takeNodePes(Words& words, const GivenOption& given, Options& options) {
  const bool is_node = words.size() > 2 && words[2] == "node";
  if (!is_node && (words.size() < 3 || !isOneOf(kObjects, words[2])))
    refuseUse(fmt::format("{}: use ppr:N:node, or leave it out", given.text()));
  const int pes = readPes(given, words[1]);
  if (is_node) setNodePes(pes, given, options);
  words = words.subspan(3);
  return is_node;
}

/// Tells whether the modifier has a meaning here.
bool modify(std::string_view modifier, const GivenOption& given, Options& options) {
  const bool forbids = modifier == "nooversubscribe";
  if (forbids || modifier == "oversubscribe") {
    options.no_oversubscribe_text = forbids ? given.text() : "";
    return true;
  }
  if (!isOneOf(kIdleModifiers, modifier.substr(0, modifier.find('='))))
    refuseModifier(given, modifier, "oversubscribe or nooversubscribe, or leave it out");
  return false;
}

void map(std::string_view value, const GivenOption& given, Options& options) {
  const std::vector<std::string> all = wordsOf(value);
  Words words = all;
  bool has_meaning = false;
  if (words.front() == "ppr") {
    has_meaning = takeNodePes(words, given, options);
  } else {
    words = words.subspan(1);
  }
  for (const std::string& word : words) has_meaning |= modify(word, given, options);
  if (!has_meaning) accept(given, options);
}

}  // namespace

void setPes(const GivenOption& given, Options& options) {
  setOnce(options.pes, options.pes_text, readPes(given, valueOf(given)), given, "numbers of PEs");
}

void setNodePes(const GivenOption& given, Options& options) {
  setNodePes(readPes(given, valueOf(given)), given, options);
}

void setOneNodePe(const GivenOption& given, Options& options) { setNodePes(1, given, options); }

void setMapping(const GivenOption& given, Options& options) {
  if (valueOf(given).empty())
    refuseUse(fmt::format("{}: use ppr:N:node, or leave it out", given.text()));
  map(valueOf(given), given, options);
}

void setObjectPes(const GivenOption& given, Options& options) {
  map("ppr:" + valueOf(given), given, options);
}

void setNoOversubscribe(const GivenOption& given, Options& options) {
  options.no_oversubscribe_text = given.text();
}

void setOversubscribe(const GivenOption& given, Options& options) {
  options.no_oversubscribe_text.clear();
  accept(given, options);
}

}  // namespace ucxx::shmem::oshrun
