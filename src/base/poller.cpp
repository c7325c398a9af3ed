// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/poller.h"

#include <cerrno>

#include <sys/epoll.h>

#include "base/system_error.h"

namespace ucxx::base {
namespace {

FileDescriptor openEpoll() {
  requireNotForked();
  const ForkBarrier barrier;
  FileDescriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) throwErrno(errno, "epoll_create1");
  return epoll;
}

void control(int epoll, int operation, int fd, std::uint32_t events, PollHandler& handler) {
  requireNotForked();
  epoll_event event{};
  event.events = events;
  event.data.ptr = &handler;
  if (::epoll_ctl(epoll, operation, fd, &event) != 0) throwErrno(errno, "epoll_ctl");
}

}  // namespace

/// Shows the handlers of a round to `remove`, until it ends, perhaps by an exception.
class Poller::Batch {
 public:
  Batch(Poller& poller, PollHandler** ready, int count) : poller_(poller) {
    poller_.ready_ = ready;
    poller_.ready_count_ = count;
  }
  ~Batch() {
    poller_.ready_ = nullptr;
    poller_.ready_count_ = 0;
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

 private:
  Poller& poller_;
};

Poller::Poller() : epoll_(openEpoll()) {}

void Poller::add(int fd, std::uint32_t events, PollHandler& handler) {
  control(epoll_.get(), EPOLL_CTL_ADD, fd, events, handler);
}

void Poller::modify(int fd, std::uint32_t events, PollHandler& handler) {
  control(epoll_.get(), EPOLL_CTL_MOD, fd, events, handler);
}

void Poller::remove(int fd, PollHandler& handler) noexcept {
  if (isForkedChild()) return;  // the epoll behind the number is the parent's, or somebody else's
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  for (int i = 0; i < ready_count_; ++i) {
    if (ready_[i] == &handler) ready_[i] = nullptr;
  }
}

int Poller::dispatch(int timeout_ms) {
  requireNotForked();
  if (ready_ != nullptr) return 0;  // a handler that dispatches waits for itself
  epoll_event events[kBatch];
  const int count = ::epoll_wait(epoll_.get(), events, kBatch, timeout_ms);
  if (count < 0) {
    if (errno == EINTR) return 0;
    throwErrno(errno, "epoll_wait");
  }
  return deliver(events, count);
}

int Poller::deliver(const epoll_event* events, int count) {
  PollHandler* ready[kBatch];
  for (int i = 0; i < count; ++i) ready[i] = static_cast<PollHandler*>(events[i].data.ptr);
  const Batch batch(*this, ready, count);
  int called = 0;
  for (int i = 0; i < count; ++i) {
    if (ready[i] == nullptr) continue;
    ++called;
    ready[i]->onReady(events[i].events);
  }
  return called;
}

}  // namespace ucxx::base
