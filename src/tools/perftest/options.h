// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ucxx/typedefs.h>

namespace ucxx::tools {

enum class Kind { Tag, Stream, Am, Multi, Put, Get, Add, FetchAdd, Swap, CompareSwap };
/// On the memory of the other side.
constexpr bool isOneSided(Kind kind) noexcept { return kind >= Kind::Put; }
/// ... and on a word of it.
constexpr bool isAtomic(Kind kind) noexcept { return kind >= Kind::Add; }
enum class Metric {
  Latency,    ///< ping-pong: half a round trip; gets and atomics: one after the other
  Bandwidth,  ///< one way, a window of messages under way
};
enum class Progress { Polling, Blocking, ThreadPolling, ThreadBlocking, ThreadAdaptive };
enum class Role { Loopback, Server, Client, Peer };

template <class Value, std::size_t count>
using Names = std::array<std::pair<std::string_view, Value>, count>;

inline constexpr Names<Kind, 10> kKinds{{{"tag", Kind::Tag},
                                         {"stream", Kind::Stream},
                                         {"am", Kind::Am},
                                         {"multi", Kind::Multi},
                                         {"put", Kind::Put},
                                         {"get", Kind::Get},
                                         {"add", Kind::Add},
                                         {"fadd", Kind::FetchAdd},
                                         {"swap", Kind::Swap},
                                         {"cswap", Kind::CompareSwap}}};
inline constexpr Names<Progress, 5> kProgressModes{{{"polling", Progress::Polling},
                                                    {"blocking", Progress::Blocking},
                                                    {"thread-polling", Progress::ThreadPolling},
                                                    {"thread-blocking", Progress::ThreadBlocking},
                                                    {"thread-adaptive", Progress::ThreadAdaptive}}};

template <class Value, std::size_t count>
std::optional<Value> findName(const Names<Value, count>& names, std::string_view name) {
  for (const auto& [known, value] : names)
    if (known == name) return value;
  return std::nullopt;
}

template <class Value, std::size_t count>
std::string nameOf(const Names<Value, count>& names, Value value) {
  for (const auto& [name, known] : names)
    if (known == value) return std::string(name);
  return "?";
}

/// Where the bytes of messages lie.
enum class MemoryKind { Host, Cuda };
inline constexpr Names<MemoryKind, 2> kMemoryKinds{
    {{"host", MemoryKind::Host}, {"cuda", MemoryKind::Cuda}}};
struct MemoryKinds {
  MemoryKind send = MemoryKind::Host;
  MemoryKind receive = MemoryKind::Host;

  bool hasCuda() const noexcept { return send == MemoryKind::Cuda || receive == MemoryKind::Cuda; }
};
/// "cuda,host": sent from, received into.
std::string nameOf(const MemoryKinds& memory);
/// Such a name, or one kind for both.
std::optional<MemoryKinds> findMemory(std::string_view name);

struct Test {
  Kind kind = Kind::Tag;
  Metric metric = Metric::Latency;

  /// An iteration goes there and back.
  bool isPingPong() const noexcept {
    return metric == Metric::Latency && (!isOneSided(kind) || kind == Kind::Put);
  }
};
/// "tag_lat", "am_bw", ...
std::string nameOf(const Test& test);
/// `name` as above, or a kind alone for its latency.
std::optional<Test> findTest(std::string_view name);
/// Throws `std::invalid_argument` when the library cannot do the test with such memory.
void requireMemory(const Test& test, const MemoryKinds& memory);

inline constexpr std::size_t kMostThreads = 256;

/// What the command line says.
struct Options {
  Role role = Role::Loopback;
  std::string host;  ///< Client: where the server is
  std::uint16_t port = 13340;
  int control_fd = -1;  ///< Peer: the socket to the process that started it
  std::vector<Test> tests;
  std::vector<std::size_t> sizes;
  std::size_t frames = 2;        ///< of a multi-buffer message; each has the size
  std::uint64_t iterations = 0;  ///< 0: as many as take `seconds`
  std::optional<std::uint64_t> warmup;
  std::size_t window = 32;
  std::size_t threads = 1;  ///< of each side, each with a worker and a peer of its own
  int repeat = 0;
  double seconds = 0.2;
  std::chrono::seconds timeout{30};  ///< without any message, before the run ends with an error
  Progress progress = Progress::Polling;
  bool single_thread = false;
  bool library_memory = false;
  MemoryKinds memory;
  std::vector<int> cpus;       ///< of the server and of the client; empty: not pinned
  ConfigMap ucx;               ///< settings of UCX and of the library
  bool compare = false;        ///< with ucx_perftest
  bool handles_errors = true;  ///< ucx_perftest; ours always does
  std::string json;            ///< file, or "-"

  bool usesThread() const noexcept {
    return progress != Progress::Polling && progress != Progress::Blocking;
  }
};

/// Throws `std::invalid_argument`. Empty: --help or --version was asked for and printed.
std::optional<Options> parseOptions(int argc, char** argv);

}  // namespace ucxx::tools
