// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/call.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include <pthread.h>

#include "cuda/driver/capture.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/faults.h"
#include "cuda/driver/options.h"
#include "cuda/driver/queue.h"

namespace stand_in {
namespace {

std::atomic<bool> initialised{false}, forked{false};
thread_local const char* current_call = nullptr;
thread_local bool in_callback = false;

struct Counts {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> calls;  // guarded by `mutex`
};

Counts& counts() {
  static auto* const only = new Counts;
  return *only;
}

std::uint64_t count(const char* name) {
  const std::lock_guard lock(counts().mutex);
  return ++counts().calls[name];
}

Result injected(const char* name, std::uint64_t number) {
  for (const Options::Failure& failure : options().failures)
    if (failure.call == name && (failure.number == 0 || failure.number == number))
      return failure.result;
  return kSuccess;
}

Result refused(const Rules& rules) {
  using Needs = Rules::Needs;
  if (rules.needs == Needs::Nothing) return kSuccess;
  if (in_callback) return kNotPermitted;
  if (!initialised || forked) return kNotInitialized;
  if (isLost() && !rules.after_error) return lostBy();
  if (rules.needs == Needs::Context && currentContext() == nullptr) return kInvalidContext;
  if (rules.needs == Needs::Context && isDestroyed(currentContext())) return kContextIsDestroyed;
  return rules.unsafe ? refusedInCapture() : kSuccess;
}

}  // namespace

const char* currentCall() { return current_call == nullptr ? "no call" : current_call; }

Result beginCall(const char* name, const Rules& rules) {
  const std::uint64_t number = count(name);
  current_call = name;
  delayAtRandom();
  const Result result = injected(name, number);
  return result != kSuccess ? result : refused(rules);
}

void endCall() { current_call = nullptr; }

void setInitialised() {
  static std::once_flag once;
  std::call_once(once, [] { ::pthread_atfork(nullptr, nullptr, [] { forked = true; }); });
  initialised = true;
}

bool isInitialised() { return initialised; }

void setInCallback(bool is) { in_callback = is; }

std::uint64_t callsOf(const char* name) {
  const std::lock_guard lock(counts().mutex);
  const auto found = counts().calls.find(name);
  return found == counts().calls.end() ? 0 : found->second;
}

// NOLINTNEXTLINE(readability-identifier-naming): a name of C
std::uint64_t ucxx_stand_in_calls_of(const char* name) { return callsOf(name); }

}  // namespace stand_in
