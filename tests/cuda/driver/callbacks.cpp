// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/callbacks.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include <pthread.h>

#include "cuda/driver/call.h"

namespace stand_in {
namespace {

struct Callbacks {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;  // guarded by `mutex`

  Callbacks() {
    std::thread([this] {
      pthread_setname_np(pthread_self(), "callbacks");
      setInCallback(true);
      for (;;) next()();
    }).detach();
  }

  std::function<void()> next() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !waiting.empty(); });
    auto function = std::move(waiting.front());
    waiting.pop_front();
    return function;
  }
};

}  // namespace

void callBack(std::function<void()> function) {
  static auto* const only = new Callbacks;
  {
    const std::lock_guard lock(only->mutex);
    only->waiting.push_back(std::move(function));
  }
  only->changed.notify_one();
}

void callBackAndWait(const std::function<void()>& function) {
  auto over = std::make_shared<std::promise<void>>();
  callBack([&function, over] {
    function();
    over->set_value();
  });
  over->get_future().wait();
}

}  // namespace stand_in
