// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstdio>
#include <exception>
#include <iostream>
#include <utility>

#include <fcntl.h>
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

int act(const Options& options) {
  switch (options.wish) {
    case Options::Wish::Help:
      std::cout << kUsage;
      return 0;
    case Options::Wish::Version:
      std::cout << "oshrun (UCXX) " << kVersion << '\n';
      return 0;
    default:
      return runJob(options);
  }
}

int complain(const char* text, int status) {
  std::cerr << "oshrun: " << text << '\n';
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
