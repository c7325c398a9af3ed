// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "shmem/joining/launch.h"
#include "shmem/joining/own_exchange.h"

// What the processes of a job tell each other by the exchange of the program.

namespace ucxx::shmem {

/// Who and where a process is. Compared byte by byte between PEs of one version of the library.
struct ProcessInfo {
  std::uint32_t protocol = kLaunchProtocol;
  std::uint32_t user = 0;
  char version[32] = {};
  std::uint64_t machine[2] = {};
  std::uint64_t network = 0;  ///< the namespace: Unix sockets with abstract names are of one
  std::uint64_t pids = 0;     ///< the namespace: the PEs watch each other by their numbers
  std::uint64_t heap_bytes = 0;
  std::uint64_t socket[2] = {};  ///< of rank 0: its random name
  std::int64_t pid = 0;
  std::uint64_t start_time = 0;  ///< tells it from a later process of that number
  char error[256] = {};          ///< why this process cannot go on
};
static_assert(std::has_unique_object_representations_v<ProcessInfo>);

ProcessInfo ownProcessInfo(std::size_t heap_bytes, const std::string& error) noexcept;

/// Those of all, which fit each other. Throws otherwise, on all processes for which the allgather
/// has not failed.
std::vector<ProcessInfo> exchangeProcessInfo(const OwnExchange& exchange, const ProcessInfo& mine);

/// "PE 1 (pid 4711)".
std::string nameOfPe(std::size_t rank, const ProcessInfo& info);

}  // namespace ucxx::shmem
