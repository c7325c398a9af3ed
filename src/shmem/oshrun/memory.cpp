// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/memory.h"

#include <array>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

std::string limitText(const char* name, decltype(RLIMIT_AS) limit) {
  rlimit found{};
  if (::getrlimit(limit, &found) != 0 || found.rlim_cur == RLIM_INFINITY) return "";
  return fmt::format("; {} is {} bytes", name, found.rlim_cur);
}

[[noreturn]] void refuseMemory(const Layout& layout, const std::string& why) {
  throw Refusal(
      kJobFailed,
      fmt::format("no memory for {} PEs with {} bytes of heap and {} of statics each, {} bytes in "
                  "all: {}{}{}; use a lower SHMEM_SYMMETRIC_SIZE or fewer PEs",
                  layout.pes, layout.heap_bytes, layout.statics_bytes, layout.bytes(), why,
                  limitText("RLIMIT_AS (ulimit -v)", RLIMIT_AS),
                  limitText("RLIMIT_FSIZE (ulimit -f)", RLIMIT_FSIZE)));
}

/// What oshrun reads is there from the beginning: a hole would be a signal where memory is short.
void populateControls(base::SharedMemory& memory, const Layout& layout) {
  bool is_there = memory.populate(0, kCommonBytes);
  for (std::size_t pe = 0; is_there && pe < layout.pes; ++pe)
    is_there = memory.populate(layout.slotOffset(pe), kPage);
  if (!is_there) refuseMemory(layout, "the system has no more");
}

}  // namespace

void JobMemory::make(int pes, std::uint64_t heap_bytes, std::uint64_t statics_bytes) {
  if (heap_bytes > kMostJobBytes || statics_bytes > kMostJobBytes)
    throw Refusal(kJobFailed,
                  fmt::format("no memory for {} bytes of heap and {} of statics: {}; use a lower "
                              "SHMEM_SYMMETRIC_SIZE",
                              heap_bytes, statics_bytes, kMostJobBytesText));
  const Layout layout = Layout::of(static_cast<std::size_t>(pes), heap_bytes, statics_bytes);
  if (layout.bytes() > kMostJobBytes) refuseMemory(layout, kMostJobBytesText);
  reserve(layout);
}

void JobMemory::reserve(const Layout& layout) {
  base::SharedMemory memory;
  try {
    memory = base::SharedMemory::reserve(layout.bytes());
  } catch (const std::exception& error) {
    refuseMemory(layout, error.what());
  }
  populateControls(memory, layout);
  memory_ = std::move(memory);
  layout_ = layout;
}

const Control& JobMemory::control(int pe) const noexcept {
  const std::size_t offset = layout_.slotOffset(static_cast<std::size_t>(pe));
  return *reinterpret_cast<const Control*>(memory_.bytes().data() + offset);
}

PeState JobMemory::stateOf(int pe) const noexcept {
  return isMade() ? control(pe).state.load() : PeState::Absent;
}

std::optional<Wait> JobMemory::waitOf(int pe) const {
  if (!isMade()) return std::nullopt;
  const Control& said = control(pe);
  std::array<char, sizeof said.call> call;
  for (std::size_t i = 0; i < call.size(); ++i) call[i] = said.call[i].load();
  if (call[0] == '\0') return std::nullopt;
  return Wait{printable(call.data(), call.size()), said.awaited.load(), said.waits.load()};
}

std::optional<int> JobMemory::exitStatus() const noexcept {
  if (!isMade()) return std::nullopt;
  const auto& common = *reinterpret_cast<const Common*>(memory_.bytes().data());
  const std::uint32_t said = common.exit_status.load();
  if (said == 0) return std::nullopt;
  return exitStatusOf(said);
}

std::string printable(const char* text, std::size_t most) {
  std::string result;
  for (std::size_t i = 0; i < most && text[i] != '\0'; ++i) {
    const bool is_harmless = text[i] >= ' ' && text[i] <= '~';
    result += is_harmless ? text[i] : '?';
  }
  return result;
}

}  // namespace ucxx::shmem::oshrun
