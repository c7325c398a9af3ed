// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/checks/arguments.h"

#include <algorithm>
#include <cinttypes>
#include <functional>
#include <string_view>

#include "shmem/checks/failure.h"
#include "shmem/collectives/sync.h"
#include "shmem/memory/locate.h"

namespace ucxx::shmem {
namespace {

/// The function, then its arguments.
using Words = std::array<std::uint64_t, kMostArguments + 1>;

Words wordsOf(std::initializer_list<Argument> arguments, const char* call) noexcept {
  Words words{std::hash<std::string_view>()(call)};
  std::transform(arguments.begin(), arguments.end(), words.begin() + 1,
                 [](const Argument& argument) { return argument.value; });
  return words;
}

void publish(Team& team, const Words& words) noexcept {
  auto& there = ownFlags(team).arguments;
  for (std::size_t i = 0; i < words.size(); ++i)
    there[i].store(words[i], std::memory_order_relaxed);
}

void compareWith(const Team& team, int member, const Words& own,
                 std::initializer_list<Argument> arguments, const char* call) noexcept {
  const auto& other = flagsOf(team, member).arguments;
  if (other[0].load(std::memory_order_relaxed) != own[0])
    fail(call, "PE %d is in another collective call", team.peOf(member));
  std::size_t i = 0;
  for (const Argument& argument : arguments) {
    const std::uint64_t value = other[++i].load(std::memory_order_relaxed);
    if (value == argument.value) continue;
    fail(call, "%s is %" PRId64 " here and %" PRId64 " on PE %d: it must be the same on all",
         argument.name, static_cast<std::int64_t>(argument.value), static_cast<std::int64_t>(value),
         team.peOf(member));
  }
}

}  // namespace

void compareArguments(Team& team, std::initializer_list<Argument> arguments,
                      const char* call) noexcept {
  if (!node.is_debug) return;
  const Words own = wordsOf(arguments, call);
  publish(team, own);
  sync(team, call);
  for (int member = 0; member < team.size; ++member)
    compareWith(team, member, own, arguments, call);
  sync(team, call);
}

void checkLocal(const void* buffer, std::size_t bytes, const char* name,
                const char* call) noexcept {
  if (node.is_debug && buffer == nullptr && bytes != 0)
    fail(call, "%s is null, and has %zu bytes: give a buffer, or a length of 0", name, bytes);
}

void checkApart(const void* one, std::size_t one_bytes, const void* other, std::size_t other_bytes,
                const char* call) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(one);
  const auto second = reinterpret_cast<std::uintptr_t>(other);
  const bool overlap = first < second + other_bytes && second < first + one_bytes;
  if (node.is_debug && overlap)
    fail(call, "%zu bytes at %p and %zu bytes at %p overlap: they must not", one_bytes, one,
         other_bytes, other);
}

void checkBuffers(Team& team, const Buffers& buffers, const char* call) noexcept {
  if (buffers.dest_bytes == 0 || buffers.source_bytes == 0) return;
  requireSymmetric(buffers.dest, buffers.dest_bytes, call);
  requireSymmetric(buffers.source, buffers.source_bytes, call);
  if (!node.is_debug) return;
  if (!buffers.may_be_one || buffers.dest != buffers.source)
    checkApart(buffers.dest, buffers.dest_bytes, buffers.source, buffers.source_bytes, call);
  compareArguments(team,
                   {{"the offset of dest", offsetInSlot(buffers.dest)},
                    {"the offset of source", offsetInSlot(buffers.source)}},
                   call);
}

}  // namespace ucxx::shmem
