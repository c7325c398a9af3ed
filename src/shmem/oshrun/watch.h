// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include <sys/epoll.h>

#include "base/poller.h"

namespace ucxx::shmem::oshrun {

/// Calls a function while a descriptor is ready. The descriptor stays open as long as it is
/// watched.
class Watch final : public base::PollHandler {
 public:
  Watch(base::Poller& poller, std::function<void()> function)
      : poller_(poller), function_(std::move(function)) {}
  ~Watch() { stop(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void start(int fd, std::uint32_t events = EPOLLIN) {
    if (fd_ >= 0) return;
    poller_.add(fd, events, *this);
    fd_ = fd;
  }
  void stop() noexcept {
    if (fd_ >= 0) poller_.remove(std::exchange(fd_, -1), *this);
  }
  void onReady(std::uint32_t) override { function_(); }

 private:
  base::Poller& poller_;
  std::function<void()> function_;
  int fd_ = -1;
};

}  // namespace ucxx::shmem::oshrun
