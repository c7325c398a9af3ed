// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "completions.h"

#include <cerrno>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

namespace ucxx::python {

Completions::Completions() : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0)
    throw std::system_error(errno, std::generic_category(), "cannot make an eventfd");
}

Completions::~Completions() { ::close(descriptor_); }

void Completions::push(Event& event) noexcept {
  events_.push(&event);
  if (rings_.load(std::memory_order_relaxed) && !rung_.exchange(true)) ring();
}

void Completions::ring() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
}

bool Completions::drain() {
  if (draining_) return false;  // an event that runs has called something that drains
  if (rung_.load(std::memory_order_relaxed)) {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(descriptor_, &count, sizeof count);
    rung_.store(false);  // before the look: what comes behind it rings again
  }
  draining_ = true;
  bool any = false;
  while (auto* const event = static_cast<Event*>(events_.pop())) {
    event->run();
    any = true;
  }
  draining_ = false;
  // A push that is half done ends the queue for us, and its ring may have been taken above.
  if (!events_.empty() && rings_.load() && !rung_.exchange(true)) ring();
  return any;
}

}  // namespace ucxx::python
