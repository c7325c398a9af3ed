// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/queue.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include <pthread.h>

#include "cuda/driver/call.h"
#include "cuda/driver/faults.h"
#include "cuda/driver/options.h"
#include "cuda/driver/reset.h"
#include "cuda/driver/watchdog.h"

namespace stand_in {
namespace {

struct Entry {
  StreamPointer stream;
  std::uint64_t number;
  std::vector<Point> after;
  Task task;
};

/// A hardware queue. The first entry is the one that runs.
struct Connection {
  std::deque<Entry> entries;
  std::size_t operations_behind = 0;  // of all but the first
  std::uint64_t pushed = 0, popped = 0;
  bool has_thread = false;
  std::condition_variable has_entries;
};

struct Queues {
  std::mutex mutex;  // guards all, and what streams have of this file
  std::condition_variable changed;
  std::size_t waiters = 0;  // for `changed`
  using Connections = std::deque<Connection>;
  Connections* connections = new Connections(options().connections);
  std::vector<Connections*> abandoned;
};

Queues& queues() {
  static auto* const only = new Queues;  // used to the very end
  return *only;
}

bool isDoneLocked(const Point& point) { return point.stream->done >= point.number; }

bool hasRoom(const Connection& connection, const Task& task) {
  if (connection.entries.empty()) return true;
  return connection.entries.size() - 1 < kMostEntries &&
         connection.operations_behind + task.operations <= kMostOperations;
}

/// An idle stream takes an idle connection, its last one if that is; else it shares one.
Connection& connectionOf(StreamState& stream) {
  auto& all = *queues().connections;
  if (stream.done < stream.enqueued) return all[stream.connection];
  const auto is_idle = [&](std::size_t index) { return all[index].entries.empty(); };
  if (stream.connection >= all.size() || !is_idle(stream.connection)) {
    std::size_t index = 0;
    while (index < all.size() && !is_idle(index)) ++index;
    stream.connection = index < all.size() ? index : stream.id % all.size();
  }
  return all[stream.connection];
}

/// What the legacy stream and those that are ordered by it have to do before.
void orderByLegacy(const StreamPointer& stream, std::vector<Point>& after) {
  const StreamPointer legacy = legacyState();
  if (!stream->waits_for_legacy) return;
  if (stream != legacy) {
    if (legacy->done < legacy->enqueued) after.push_back({legacy, legacy->enqueued});
    return;
  }
  std::map<StreamPointer, std::uint64_t> last;
  for (const Connection& connection : *queues().connections)
    for (const Entry& entry : connection.entries)
      if (entry.stream->waits_for_legacy && entry.stream != legacy)
        last[entry.stream] = entry.number;
  for (const auto& [other, number] : last) after.push_back({other, number});
}

std::string textOf(const StreamState& stream) {
  return stream.id == legacyState()->id ? "the legacy stream"
                                        : "stream " + std::to_string(stream.id);
}

/// Waits under the lock; returns at once when the context is lost, or reset.
template <class Condition>
Result waitUntil(std::unique_lock<std::mutex>& lock, const Condition& condition) {
  const unsigned before = resets();
  const auto is_reset = [before] { return resets() != before; };
  ++queues().waiters;
  queues().changed.wait(lock, [&] { return isLost() || is_reset() || condition(); });
  --queues().waiters;
  return is_reset() ? kContextIsDestroyed : lostBy();
}

void waitForPoints(const Entry& entry) {
  for (const Point& point : entry.after) {
    const Waiting waiting([&] {
      return textOf(*entry.stream) + ", in " + entry.task.call + ", waits for " +
             textOf(*point.stream);
    });
    std::unique_lock lock(queues().mutex);
    if (waitUntil(lock, [&] { return isDoneLocked(point); }) == kSuccess) continue;
    lock.unlock();
    waitForEver();
  }
}

/// What it waits for.
std::string textOfRun(const Connection& connection, const Entry& entry) {
  const std::lock_guard lock(queues().mutex);
  return textOf(*entry.stream) + " runs " + entry.task.call + ", " +
         std::to_string(connection.entries.size() - 1) + " entries behind it in its connection";
}

void runEntry(const Connection& connection, const Entry& entry) {
  waitForPoints(entry);
  delayAtRandom();
  if (isLost() || isOfBefore()) waitForEver();
  const Waiting waiting([&] { return textOfRun(connection, entry); });
  if (entry.task.run && !guarded(entry.task.run)) waitForEver();
}

void finishEntry(Connection& connection) {
  Entry over;
  const std::lock_guard lock(queues().mutex);
  over = std::move(connection.entries.front());
  connection.entries.pop_front();
  if (!connection.entries.empty())
    connection.operations_behind -= connection.entries.front().task.operations;
  ++connection.popped;
  over.stream->done = over.number;
  if (queues().waiters > 0) queues().changed.notify_all();
}

void runConnection(Connection& connection, unsigned reset) {
  belongTo(reset);
  for (;;) {
    const Entry* entry = nullptr;
    {
      std::unique_lock lock(queues().mutex);
      connection.has_entries.wait(lock, [&] { return !connection.entries.empty(); });
      entry = &connection.entries.front();  // nobody else removes it
    }
    runEntry(connection, *entry);
    if (isOfBefore()) waitForEver();
    finishEntry(connection);
  }
}

/// Signals of the process are for its own threads.
void startThread(Connection& connection, std::size_t index) {
  if (std::exchange(connection.has_thread, true)) return connection.has_entries.notify_one();
  sigset_t all, before;
  sigfillset(&all);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([&connection, index, reset = resets()] {
    pthread_setname_np(pthread_self(), ("connection " + std::to_string(index)).c_str());
    runConnection(connection, reset);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void push(Connection& connection, std::size_t index, Entry entry) {
  if (!connection.entries.empty()) connection.operations_behind += entry.task.operations;
  connection.entries.push_back(std::move(entry));
  ++connection.pushed;
  startThread(connection, index);
}

}  // namespace

Result enqueue(const StreamPointer& stream, Task task, std::vector<Point> after) {
  const char* const called = currentCall();
  const Waiting waiting([called, stream, thread = nameOfThread()] {
    return thread + " is in " + called + ": the launch queue of " + textOf(*stream) + " is full";
  });
  std::unique_lock lock(queues().mutex);
  const Result result = waitUntil(lock, [&] { return hasRoom(connectionOf(*stream), task); });
  if (result != kSuccess) return result;
  orderByLegacy(stream, after);
  Connection& connection = connectionOf(*stream);
  push(connection, stream->connection,
       {stream, ++stream->enqueued, std::move(after), std::move(task)});
  return kSuccess;
}

/// The threads that run what was in them keep the old connections, for ever.
void abandonAll() {
  const std::lock_guard lock(queues().mutex);
  for (const Connection& connection : *queues().connections)
    for (const Entry& entry : connection.entries) entry.stream->done = entry.stream->enqueued;
  queues().abandoned.push_back(queues().connections);
  queues().connections = new Queues::Connections(options().connections);
  queues().changed.notify_all();
}

Point lastPointOf(const StreamPointer& stream) {
  const std::lock_guard lock(queues().mutex);
  return {stream, stream->enqueued};
}

bool isDone(const Point& point) {
  const std::lock_guard lock(queues().mutex);
  return isDoneLocked(point);
}

Result waitFor(const Point& point) {
  const char* const called = currentCall();
  const Waiting waiting([called, &point, thread = nameOfThread()] {
    return thread + " is in " + called + ": it waits for " + textOf(*point.stream);
  });
  std::unique_lock lock(queues().mutex);
  return waitUntil(lock, [&] { return isDoneLocked(point); });
}

Result waitForAll() {
  const char* const called = currentCall();
  const Waiting waiting([called, thread = nameOfThread()] {
    return thread + " is in " + called + ": it waits for all streams";
  });
  std::unique_lock lock(queues().mutex);
  std::vector<std::uint64_t> pushed;
  for (const Connection& connection : *queues().connections) pushed.push_back(connection.pushed);
  return waitUntil(lock, [&] {
    for (std::size_t index = 0; index < pushed.size(); ++index)
      if ((*queues().connections)[index].popped < pushed[index]) return false;
    return true;
  });
}

std::size_t entriesOfType(int type) {
  const std::lock_guard lock(queues().mutex);
  std::size_t count = 0;
  for (const Connection& connection : *queues().connections)
    for (const Entry& entry : connection.entries) count += entry.task.type == type;
  return count;
}

bool isFreeForLegacy() {
  const std::lock_guard lock(queues().mutex);
  bool has_idle = false;
  for (const Connection& connection : *queues().connections) {
    has_idle |= connection.entries.empty();
    for (const Entry& entry : connection.entries)
      if (entry.stream->waits_for_legacy) return false;
  }
  return has_idle;
}

StreamPointer legacyState() {
  constexpr unsigned long long kId = 7;  // as the driver says
  static const auto* const only = new StreamPointer(std::make_shared<StreamState>(kId, true));
  return *only;
}

void tellChange() {
  const std::lock_guard lock(queues().mutex);
  queues().changed.notify_all();
}

void delayAtRandom() {
  if (options().delay.count() == 0) return;
  static std::atomic<std::uint64_t> threads{0};
  thread_local std::mt19937_64 random(options().seed * 1000 + threads++);
  std::this_thread::sleep_for(std::chrono::microseconds(
      random() % static_cast<std::uint64_t>(options().delay.count() + 1)));
}

}  // namespace stand_in
