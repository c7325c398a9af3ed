// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/environment.h"

#include <algorithm>
#include <cstdlib>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shmem/joining/launch.h"

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::string_view kOfOthers[] = {"PMI_", "PMIX_", "OMPI_", "SLURM_STEP_NUM_TASKS"};

std::string_view nameOf(std::string_view entry) { return entry.substr(0, entry.find('=')); }

bool isOfLauncher(std::string_view name) {
  return isOfOshrun(name) ||
         std::any_of(std::begin(kOfOthers), std::end(kOfOthers),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool isGiven(const Options& options, std::string_view name) {
  return std::any_of(options.variables.begin(), options.variables.end(),
                     [&](const std::string& given) { return nameOf(given) == name; });
}

bool isPacketSocket(int fd) noexcept {
  int type = 0;
  socklen_t bytes = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_SEQPACKET;
}

}  // namespace

bool isOfOshrun(std::string_view name) noexcept {
  return name == kLaunchVariable || name == kTakenVariable;
}

std::vector<std::string> environmentOf(const Options& options) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view name = nameOf(*entry);
    if (!isOfLauncher(name) && !isGiven(options, name)) entries.emplace_back(*entry);
  }
  entries.insert(entries.end(), options.variables.begin(), options.variables.end());
  return entries;
}

void keepOuterSocket() noexcept {
  const char* outer = std::getenv(kLaunchVariable);
  if (outer == nullptr) return;
  const int fd = static_cast<int>(std::strtol(outer, nullptr, 10));
  if (fd > STDERR_FILENO && isPacketSocket(fd)) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

}  // namespace ucxx::shmem::oshrun
