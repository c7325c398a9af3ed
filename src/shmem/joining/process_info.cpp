// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/process_info.h"

#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <ucs/type/status.h>
#include <unistd.h>

#include "base/id128.h"
#include "base/status.h"
#include "door/machine_id.h"
#include "shmem/joining/process_name.h"
#include "shmem/joining/texts.h"
#include "shmem/joining/version.h"

namespace ucxx::shmem {
namespace {

[[noreturn]] void refuse(const std::string& why) { base::throwStatus(UCS_ERR_UNREACHABLE, why); }

std::uint64_t networkNamespace() noexcept {
  struct stat state {};
  return ::stat("/proc/self/ns/net", &state) == 0 ? state.st_ino : 0;
}

/// Names what a process has otherwise than rank 0; null: nothing.
const char* mismatch(const ProcessInfo& info, const ProcessInfo& first) noexcept {
  if (info.protocol != first.protocol ||
      std::memcmp(info.version, first.version, sizeof info.version) != 0)
    return "has another version of libucxx_shmem";
  if (info.machine[0] != first.machine[0] || info.machine[1] != first.machine[1])
    return "is on another machine";
  if (info.network != first.network) return "is in another network namespace";
  if (info.pids != first.pids) return "is in another namespace of processes";
  if (info.user != first.user) return "is of another user";
  if (info.heap_bytes != first.heap_bytes) return "has another SHMEM_SYMMETRIC_SIZE";
  return nullptr;
}

void requireFitting(const std::vector<ProcessInfo>& infos) {
  for (std::size_t rank = 0; rank < infos.size(); ++rank) {
    if (infos[rank].error[0] != '\0') refuse(fmt::format("PE {}: {}", rank, infos[rank].error));
    const char* const what = mismatch(infos[rank], infos[0]);
    if (what != nullptr) refuse(fmt::format("PE {} {} than PE 0", rank, what));
  }
}

}  // namespace

ProcessInfo ownProcessInfo(std::size_t heap_bytes, const std::string& error) noexcept {
  ProcessInfo info;
  info.user = ::geteuid();
  copyText(info.version, kVersion);
  const base::Id128 machine = door::machineId();
  info.machine[0] = machine.high;
  info.machine[1] = machine.low;
  info.network = networkNamespace();
  info.pids = ownPidNamespace();
  info.heap_bytes = heap_bytes;
  info.pid = ::getpid();
  info.start_time = startTimeOf(::getpid());
  copyText(info.error, error);
  return info;
}

std::vector<ProcessInfo> exchangeProcessInfo(const OwnExchange& exchange, const ProcessInfo& mine) {
  std::vector<ProcessInfo> all(static_cast<std::size_t>(exchange.size));
  const int status = exchange.allgather(&mine, all.data(), sizeof mine, exchange.context);
  if (status != 0) refuse(fmt::format("the allgather of the program has failed with {}", status));
  if (std::memcmp(&all[static_cast<std::size_t>(exchange.rank)], &mine, sizeof mine) != 0)
    refuse(fmt::format("the allgather of the program has not given rank {} its own contribution",
                       exchange.rank));
  for (ProcessInfo& info : all) info.error[sizeof info.error - 1] = '\0';
  requireFitting(all);
  return all;
}

std::string nameOfPe(std::size_t rank, const ProcessInfo& info) {
  return fmt::format("PE {} (pid {})", rank, info.pid);
}

}  // namespace ucxx::shmem
