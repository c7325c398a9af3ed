// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "workers.h"

#include <algorithm>
#include <new>

#include <unistd.h>

#include <ucxx/exception.h>

namespace ucxx::python {

Workers& Workers::get() {
  static auto* const all = new Workers;
  return *all;
}

void Workers::add(const std::shared_ptr<Worker>& worker) {
  const std::lock_guard lock(mutex_);
  workers_.push_back(worker);
}

void Workers::remove(const Worker& worker) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase_if(workers_, [&](const std::weak_ptr<Worker>& one) {
    const std::shared_ptr<Worker> there = one.lock();
    return there == nullptr || there.get() == &worker;
  });
}

std::string Workers::ask(std::string (Worker::*what)()) {
  const std::lock_guard lock(mutex_);
  std::string text = "process " + std::to_string(::getpid()) + ": " +
                     std::to_string(workers_.size()) + " workers of ucxx\n";
  for (const std::weak_ptr<Worker>& one : workers_) {
    const std::shared_ptr<Worker> worker = one.lock();
    if (worker == nullptr) continue;
    try {
      text += (worker.get()->*what)();
    } catch (const Error& error) {
      text += "worker " + worker->queryAttributes().name + ": " + error.what() + "\n";
    }
  }
  return text;
}

std::vector<Workers::Answer> Workers::reports() {
  const std::lock_guard lock(mutex_);
  std::vector<Answer> answers;
  for (const std::weak_ptr<Worker>& one : workers_) {
    const std::shared_ptr<Worker> worker = one.lock();
    if (worker == nullptr) continue;
    try {
      answers.push_back({worker->report(), ""});
    } catch (const Error& error) {
      answers.push_back({{.worker = worker->queryAttributes().name}, error.what()});
    }
  }
  return answers;
}

void Workers::forgetInChild() noexcept {
  new (&mutex_) std::mutex;  // another thread may have had it
  new (&workers_) std::vector<std::weak_ptr<Worker>>;
}

}  // namespace ucxx::python
