// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <sys/epoll.h>

#include "base/poller.h"

namespace ucxx::core {

/// UCX's descriptor among the others. It can be ready although UCX armed it, and although there are
/// no endpoints any more (the last one's peer has left): it is quiet again once UCX has progressed,
/// which each look at the descriptors begins with, and has been armed, which each sleep begins
/// with.
class UcpDescriptor final : private base::PollHandler {
 public:
  /// `fd`: -1 when the worker cannot sleep.
  UcpDescriptor(base::Poller& poller, int fd) : poller_(poller), fd_(fd) {
    if (fd_ >= 0) poller_.add(fd_, EPOLLIN, *this);
  }
  ~UcpDescriptor() {
    if (fd_ >= 0) poller_.remove(fd_, *this);
  }
  UcpDescriptor(const UcpDescriptor&) = delete;
  UcpDescriptor& operator=(const UcpDescriptor&) = delete;

 private:
  void onReady(std::uint32_t) override {}

  base::Poller& poller_;
  const int fd_;
};

}  // namespace ucxx::core
