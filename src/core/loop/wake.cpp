// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/wake.h"

#include <cerrno>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/phase.h"
#include "base/phases.h"
#include "base/system_error.h"

namespace ucxx::core {

Wake::Wake(base::Poller& poller)
    : poller_(poller), event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!event_) base::throwErrno(errno, "create the wake-up descriptor of a worker");
  poller_.add(event_.get(), EPOLLIN, *this);
}

Wake::~Wake() { poller_.remove(event_.get(), *this); }

void Wake::ringSleepers() noexcept {
  base::reached(base::Phase::WakeDue);
  if (sleeping_.exchange(false, std::memory_order_acq_rel)) ring();
}

void Wake::ring() noexcept {
  if (base::isForkedChild()) return;  // the number is another file's by now
  base::reached(base::Phase::WakeTaken);
  const int saved = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);
  errno = saved;
}

void Wake::onReady(std::uint32_t) {
  if (hasWaiters()) return;
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(event_.get(), &count, sizeof count);
}

}  // namespace ucxx::core
