// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/crew.h"

#include <cerrno>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tools/reason.h"

namespace ucxx::tools {

Crew::Event::Event() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE)) {
  if (fd() < 0) throw std::runtime_error(fmt::format("cannot make an eventfd: {}", reason(errno)));
}

void Crew::Event::signal() const {
  const std::uint64_t one = 1;
  (void)!::write(fd(), &one, sizeof one);
}

void Crew::Event::take() const {
  std::uint64_t one = 0;
  (void)!::read(fd(), &one, sizeof one);
}

struct Crew::Member {
  explicit Member(std::size_t number_) : number(number_) {}
  const std::size_t number;
  const Event wanted;
  std::thread thread;
};

Crew::Crew(Control& control, const Options& options)
    : options_(options),
      cuda_(options.memory.hasCuda() ? Cuda::open() : nullptr),
      first_(options, &control, stopping_, cuda_) {
  try {
    for (std::size_t number = 1; number < options.threads; ++number) {
      members_.push_back(std::make_unique<Member>(number));
      Member& member = *members_.back();
      member.thread = std::thread([this, &member] { work(member); });
    }
  } catch (...) {  // no more threads or descriptors
    end();
    throw;
  }
}

Crew::~Crew() { end(); }

void Crew::end() noexcept {
  job_ = nullptr;
  for (const auto& member : members_) member->wanted.signal();
  for (const auto& member : members_)
    if (member->thread.joinable()) member->thread.join();
}

/// What it throws is kept for `run`.
void Crew::perform(const std::function<void()>& part) noexcept {
  try {
    part();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (failure_ == nullptr) failure_ = std::current_exception();
    stopping_ = true;
  }
}

void Crew::work(const Member& member) {
  std::unique_ptr<Session> session;
  perform([&] { session = std::make_unique<Session>(options_, nullptr, stopping_, cuda_); });
  for (;;) {
    perform([&] {
      if (session != nullptr) session->awaitReadable(member.wanted.fd(), Session::kNever);
    });
    member.wanted.take();
    if (job_ == nullptr) return;
    perform([&] {
      if (session != nullptr) (*job_)(*session, member.number);
    });
    done_.signal();
  }
}

void Crew::run(const Job& job) {
  job_ = &job;
  for (const auto& member : members_) member->wanted.signal();
  perform([&] { job(first_, 0); });
  for (std::size_t i = 0; i < members_.size(); ++i) {
    perform([&] { first_.awaitReadable(done_.fd(), Session::kNever); });
    done_.take();
  }
  const std::lock_guard lock(mutex_);
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

}  // namespace ucxx::tools
