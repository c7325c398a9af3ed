// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/outputs.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::size_t kStreamsOfPe = 2;

void watchWhile(bool waits, Watch& watch, int fd) {
  if (waits) {
    watch.start(fd, EPOLLOUT);
  } else {
    watch.stop();
  }
}

}  // namespace

Outputs::Outputs(base::Poller& poller)
    : output_(STDOUT_FILENO),
      errors_(STDERR_FILENO),
      output_watch_(poller, [this] { output_.flush(); }),
      errors_watch_(poller, [this] { errors_.flush(); }),
      poller_(poller) {}

void Outputs::add(int pe, Started& started) {
  if (!started.output) return;
  streams_.emplace_back(poller_, std::move(started.output), pe, output_);
  streams_.emplace_back(poller_, std::move(started.errors), pe, errors_);
}

void Outputs::drain(int pe) {
  if (streams_.empty()) return;
  const std::size_t first = static_cast<std::size_t>(pe) * kStreamsOfPe;
  streams_[first].drain();
  streams_[first + 1].drain();
}

void Outputs::finish() {
  for (Stream& stream : streams_) stream.finish();
}

void Outputs::say(std::string_view text) { tell(errors_, text); }

/// An output that was full has perhaps been emptied by what another PE has written.
void Outputs::watchWhatWaits() {
  watchWhile(!output_.isEmpty(), output_watch_, output_.descriptor());
  watchWhile(!errors_.isEmpty(), errors_watch_, errors_.descriptor());
  for (Stream& stream : streams_) stream.resume();
}

void Outputs::drop() noexcept {
  output_.drop();
  errors_.drop();
}

bool Outputs::tellLoss() {
  if (output_.error() == 0) return false;
  say(fmt::format("cannot write to standard output, what the PEs wrote is lost: {}",
                  std::generic_category().message(output_.error())));
  return true;
}

}  // namespace ucxx::shmem::oshrun
