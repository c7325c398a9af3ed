// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/driver.h"

#include <ctime>

#include <poll.h>

namespace ucxx::kills {
namespace {

constexpr std::int64_t kLookEvery = 50'000;  // nanoseconds
/// How late the end of a request is seen that a progress thread has ended.
constexpr std::chrono::microseconds kThreadLook{50};
/// Rounds of one turn while nothing comes: in a pause rings become cold.
constexpr int kRounds = 64;

}  // namespace

Driver::Driver(std::shared_ptr<Worker> worker, int control_fd)
    : worker_(std::move(worker)), control_fd_(control_fd) {}

void Driver::set(Mode mode) {
  if (mode == mode_) return;
  worker_->stopProgressThread();
  if (mode == Mode::ThreadBlocking)
    worker_->startProgressThread(ProgressOptions{.mode = ProgressMode::Blocking});
  if (mode == Mode::ThreadAdaptive) worker_->startProgressThread(ProgressOptions{});
  if (mode == Mode::ThreadPolling)
    worker_->startProgressThread(ProgressOptions{.mode = ProgressMode::Polling});
  mode_ = mode;
}

void Driver::turn(std::chrono::microseconds limit, Request* awaited) {
  if (mode_ == Mode::Poll) {
    for (int i = 0; i < kRounds && !worker_->progress();) ++i;
    return;
  }
  if (hasThread(mode_)) {
    waitFor(-1, std::min(limit, kThreadLook));
    return;
  }
  if (mode_ == Mode::Wait && awaited != nullptr && !awaited->isCompleted()) {
    awaited->wait(limit);
    return;
  }
  if (worker_->progress() || !worker_->arm()) return;
  if (waitFor(worker_->getEpollFileDescriptor(), limit)) worker_->progress();
}

bool Driver::waitFor(int event_fd, std::chrono::microseconds limit) {
  pollfd entries[] = {{control_fd_, POLLIN, 0}, {event_fd, POLLIN, 0}};
  const timespec time{0, std::chrono::nanoseconds(limit).count()};
  ::ppoll(entries, 2, &time, nullptr);
  has_control_ = entries[0].revents != 0;
  return entries[1].revents != 0;
}

bool Driver::hasControl() {
  if (const std::int64_t time = now(); !has_control_ && time - looked_at_ > kLookEvery) {
    looked_at_ = time;
    waitFor(-1, std::chrono::microseconds(0));
  }
  return std::exchange(has_control_, false);
}

}  // namespace ucxx::kills
