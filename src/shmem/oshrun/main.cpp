// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "shmem/joining/version.h"
#include "shmem/oshrun/environment.h"
#include "shmem/oshrun/file_limit.h"
#include "shmem/oshrun/guard.h"
#include "shmem/oshrun/job.h"
#include "shmem/oshrun/options.h"
#include "shmem/oshrun/refusal.h"
#include "shmem/oshrun/signals.h"
#include "shmem/oshrun/spawn.h"
#include "shmem/oshrun/usage.h"

namespace ucxx::shmem::oshrun {
namespace {

/// Where one of the three standard descriptors is closed, nothing else gets its number.
void openStandardDescriptors() {
  int fd = 0;
  do {
    fd = ::open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO) ::close(fd);
}

int runJob(const Options& options) {
  keepOuterSocket();
  const FileLimit files;
  files.require(options);
  Signals signals;
  return guard(signals, [&](GuardLink link) {
    Spawner spawner(options, signals, files);
    return Job(options, std::move(link), signals, spawner).run();
  });
}

int print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return 0;
  throw Refusal(kJobFailed, fmt::format("the standard output cannot be written: {}",
                                        std::generic_category().message(errno)));
}

int act(const Options& options) {
  switch (options.wish) {
    case Options::Wish::Help:
      return print(kUsage);
    case Options::Wish::Version:
      return print(fmt::format("oshrun (UCXX) {}\n", kVersion));
    default:
      return runJob(options);
  }
}

int complain(const char* text, int status) {
  std::fprintf(stderr, "oshrun: %s\n", text);
  return status;
}

}  // namespace
}  // namespace ucxx::shmem::oshrun

int main(int count, char** words) {
  namespace oshrun = ucxx::shmem::oshrun;
  oshrun::openStandardDescriptors();
  try {
    return oshrun::act(oshrun::readOptions(count, words));
  } catch (const oshrun::Refusal& refusal) {
    return oshrun::complain(refusal.what(), refusal.status);
  } catch (const std::exception& error) {
    return oshrun::complain(error.what(), oshrun::kJobFailed);
  }
}
