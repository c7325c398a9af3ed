// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/file_limit.h"

#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

/// The guard's pipe, the signals, the poller and the memory; and for a moment, while a PE starts,
/// its ends of what it is given, or while it says hello, what it sends.
constexpr std::size_t kOfJob = 9;
constexpr std::size_t kStandard = 3;

/// Open now, the one that looks not counted.
std::size_t openFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  if (error) return kStandard;
  return static_cast<std::size_t>(std::distance(begin(files), end(files))) - 1;
}

/// The socket and the sign of life; with tags two pipes.
std::size_t filesOfPe(const Options& options) { return options.tag_output ? 4 : 2; }

}  // namespace

FileLimit::FileLimit() {
  ::getrlimit(RLIMIT_NOFILE, &found_);
  raised_ = {found_.rlim_max, found_.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &raised_) != 0) raised_ = found_;
}

void FileLimit::require(const Options& options) const {
  const std::size_t needed =
      openFiles() + kOfJob + static_cast<std::size_t>(options.pes) * filesOfPe(options);
  if (needed <= raised_.rlim_cur) return;
  const bool is_one = options.pes == 1;
  throw Refusal(
      kJobFailed,
      fmt::format("{} PE{} {} file descriptors, and {} are allowed (ulimit -n); raise that "
                  "limit, for example by ulimit -n {}, or use fewer PEs",
                  options.pes, is_one ? " needs" : "s need", needed, raised_.rlim_cur, needed));
}

}  // namespace ucxx::shmem::oshrun
