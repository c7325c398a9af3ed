// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/generic_callbacks.h"

#include <algorithm>
#include <condition_variable>
#include <exception>

#include "base/clock.h"
#include "base/log.h"
#include "core/loop/wake.h"

namespace ucxx::core {
namespace {

/// An attempt to see the end of a generic callback lasts its `period`, where that says something:
/// shorter ones would only fill the log, longer ones overflow the clock.
constexpr std::chrono::nanoseconds kDefaultAttempt = std::chrono::seconds(1);
constexpr std::chrono::nanoseconds kShortestAttempt = std::chrono::milliseconds(1);
constexpr std::chrono::nanoseconds kLongestAttempt = std::chrono::hours(1);

}  // namespace

struct GenericCallbacks::Item {
  enum class State { Waiting, Running, Done, Abandoned };
  std::function<void()> function;
  State state = State::Waiting;
  std::condition_variable changed;
};

bool GenericCallbacks::runAndWait(std::function<void()> function, std::chrono::nanoseconds timeout,
                                  Wake& wake) {
  auto item = std::make_shared<Item>();
  item->function = std::move(function);
  std::unique_lock lock(mutex_);
  items_.push_back(item);
  count_.fetch_add(1, std::memory_order_release);
  wake.signal();
  const auto begun = [&] { return item->state != Item::State::Waiting; };
  if (timeout.count() == 0)
    item->changed.wait(lock, begun);
  else if (!item->changed.wait_until(lock, base::deadlineAfter(timeout), begun)) {
    item->state = Item::State::Abandoned;
    return false;
  }
  // Once it runs it is waited for: what it uses may be on the stack of the caller.
  const auto done = [&] { return item->state == Item::State::Done; };
  const auto attempt = timeout.count() == 0
                           ? kDefaultAttempt
                           : std::clamp(timeout, kShortestAttempt, kLongestAttempt);
  for (int tries = 1; !item->changed.wait_for(lock, attempt, done); ++tries) {
    if (tries % 10 == 0)
      base::log(LogLevel::Warn, "worker",
                "Could not cancel after {} attempts, the callback has not returned for {} ms",
                tries, std::chrono::ceil<std::chrono::milliseconds>(tries * attempt).count());
  }
  return true;
}

void GenericCallbacks::runAll() noexcept {
  std::unique_lock lock(mutex_);
  while (!items_.empty()) {
    const std::shared_ptr<Item> item = items_.front();
    items_.pop_front();
    count_.fetch_sub(1, std::memory_order_release);
    if (item->state == Item::State::Abandoned) continue;
    item->state = Item::State::Running;
    item->changed.notify_all();
    lock.unlock();
    try {
      item->function();
    } catch (const std::exception& error) {
      base::log(LogLevel::Error, "worker", "a generic callback threw: {}", error.what());
    } catch (...) {
      base::log(LogLevel::Error, "worker", "a generic callback threw");
    }
    lock.lock();
    item->state = Item::State::Done;
    item->changed.notify_all();
  }
}

}  // namespace ucxx::core
