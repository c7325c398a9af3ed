// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/output.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{256} * 1024;
/// What a pipe that can be written to takes without blocking.
constexpr std::size_t kAtOnce = 4096;

}  // namespace

void Output::write(std::string_view text) {
  waiting_ += text;
  flush();
}

void Output::flush() {
  std::size_t done = 0;
  while (done < waiting_.size() && canWrite()) {
    const std::size_t bytes = std::min(waiting_.size() - done, kAtOnce);
    const ssize_t written = ::write(fd_, waiting_.data() + done, bytes);
    if (written > 0) done += static_cast<std::size_t>(written);
    if (written >= 0 || errno == EINTR) continue;
    if (errno == EAGAIN) break;
    is_broken_ = true;
    if (errno != EPIPE) error_ = errno;
    done = waiting_.size();
  }
  waiting_.erase(0, done);
}

bool Output::canWrite() const noexcept {
  pollfd entry{fd_, POLLOUT, 0};
  return ::poll(&entry, 1, 0) > 0;
}

bool Output::isFull() const noexcept { return waiting_.size() > kMostWaiting; }

void tell(Output& errors, std::string_view text) {
  errors.write(fmt::format("oshrun: {}\n", text));
}

}  // namespace ucxx::shmem::oshrun
