// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/stream.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} * 1024;
/// As many bytes as a pipe may hold. What the PE has left behind may write for ever.
constexpr int kMostReads = 16;

}  // namespace

Stream::Stream(base::Poller& poller, base::FileDescriptor pipe, int pe, Output& output)
    : pipe_(std::move(pipe)), lines_(pe), output_(output), watch_(poller, [this] { onReady(); }) {
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
  resume();
}

void Stream::drain() {
  for (int reads = 0; reads < kMostReads && passOn();) ++reads;
}

void Stream::finish() {
  drain();
  close();
}

void Stream::resume() {
  if (pipe_ && !output_.isFull()) watch_.start(pipe_.get());
}

void Stream::onReady() {
  passOn();
  if (output_.isFull()) watch_.stop();
}

/// Once; whether there may be more.
bool Stream::passOn() {
  std::array<char, kReadBytes> room;
  const ssize_t got = pipe_ ? ::read(pipe_.get(), room.data(), room.size()) : 0;
  if (got < 0) return errno == EINTR;
  if (got == 0) {
    close();
    return false;
  }
  output_.write(lines_.add({room.data(), static_cast<std::size_t>(got)}));
  // Nobody reads oshrun's output: the PE is told so, by SIGPIPE, as if the output were its own.
  if (output_.isBroken()) close();
  return true;
}

void Stream::close() {
  watch_.stop();
  pipe_.reset();
  output_.write(lines_.finish());
}

}  // namespace ucxx::shmem::oshrun
