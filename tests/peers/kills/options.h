// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "peers/kills/plan.h"

namespace ucxx::kills {

/// Local: large payloads in pieces; LocalCopy: copied by both; LocalRefused: the kernel does not,
/// so that only what is in the library's memory is.
enum class Channel : std::uint8_t { Local, LocalCopy, LocalRefused, Tcp, UcxShm };
inline constexpr std::string_view kChannels[] = {"local", "local-copy", "local-refused", "tcp",
                                                 "ucx-shm"};
constexpr bool isLocal(Channel channel) { return channel < Channel::Tcp; }

struct Options {
  std::uint64_t runs = 300;
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> only;
  Channel channel = Channel::Local;
  Filter filter;
  std::string json, commit;
  std::string filter_words;  ///< as they were given, for the line that replays a run
  bool verbose = false;
  bool delays = false;  ///< at steps of the protocols
  unsigned busy = 0;    ///< processes that keep the cores busy
  std::string role;     ///< of a process that was started by another of this program
  int control_fd = -1;
};

/// Nothing: the help was printed. Throws `std::invalid_argument` that says what is right.
std::optional<Options> parseOptions(int argc, char** argv);

}  // namespace ucxx::kills
