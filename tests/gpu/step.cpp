// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "gpu/step.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include <unistd.h>

#include "gpu/driver.h"
#include "gpu/report.h"

namespace gpu {
namespace {

using Clock = std::chrono::steady_clock;

struct Steps {
  std::string group;
  int first = 0;  // those before are done
  int next = 0;
};

Steps& steps() {
  static Steps only;
  return only;
}

std::atomic<const char*> place{"its beginning"};

/// Never comes back: threads, streams and the context end with the program.
[[noreturn]] void startBehind(int number) {
  std::string group = steps().group, done = std::to_string(number), failed = "failed";
  char self[] = "/proc/self/exe";
  std::array<char*, 5> words{self, group.data(), done.data(), failed.data(), nullptr};
  std::fflush(nullptr);
  ::execv(self, words.data());
  std::perror("gpu_facts: exec");
  std::_Exit(1);
}

/// Lets nobody wait for ever.
class Watch {
 public:
  Watch(const std::string& name, int number, std::chrono::milliseconds limit)
      : thread_([this, name, number, until = Clock::now() + limit] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_until(lock, until, [this] { return is_over_; })) return;
          const char* const call = called;
          error(name,
                std::string("hangs at ") + place.load() +
                    (call == nullptr ? ", outside of the driver" : std::string(", in ") + call));
          startBehind(number + 1);
        }) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;  // guarded by `mutex_`
  std::thread thread_;
};

}  // namespace

void beginSteps(const std::string& group, int done) { steps() = {.group = group, .first = done}; }

void step(const std::string& name, const std::function<void()>& body,
          std::chrono::milliseconds limit) {
  const int number = steps().next++;
  if (number < steps().first) return;
  at("its beginning");
  const Watch watch(name, number, limit);
  try {
    body();
  } catch (const std::exception& failure) {
    error(name, failure.what());
  }
}

void at(const char* what) { place = what; }

}  // namespace gpu
