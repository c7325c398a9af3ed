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
#include "cuda/driver/contexts.h"
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

}  // namespace

/// Those of a life, guarded by the mutex of all.
struct Connections {
  std::deque<Connection> each{options().connections};
  bool are_abandoned = false;
  StreamPointer legacy;  // made when it is used
};

namespace {

struct Queues {
  std::mutex mutex;  // guards all, and what streams have of this file
  std::condition_variable changed;
  std::size_t waiters = 0;  // for `changed`
  std::deque<Connections> all;
};

Queues& queues() {
  static auto* const only = new Queues;  // used to the very end
  return *only;
}

std::deque<Connection>& connectionsOf(const Life& life) { return life.connections.each; }

bool isDoneLocked(const Point& point) { return point.stream->done >= point.number; }

bool hasRoom(const Connection& connection, const Task& task) {
  if (connection.entries.empty()) return true;
  return connection.entries.size() - 1 < kMostEntries &&
         connection.operations_behind + task.operations <= kMostOperations;
}

/// An idle stream takes an idle connection, its last one if that is; else it shares one.
Connection& connectionOf(StreamState& stream) {
  auto& all = connectionsOf(stream.life);
  if (stream.done < stream.enqueued) return all[stream.connection];
  const auto is_idle = [&](std::size_t index) { return all[index].entries.empty(); };
  if (stream.connection >= all.size() || !is_idle(stream.connection)) {
    std::size_t index = 0;
    while (index < all.size() && !is_idle(index)) ++index;
    stream.connection = index < all.size() ? index : stream.id % all.size();
  }
  return all[stream.connection];
}

StreamPointer legacyOf(Life& life) {
  StreamPointer& legacy = life.connections.legacy;
  if (legacy == nullptr) legacy = std::make_shared<StreamState>(life, kLegacyId, true);
  return legacy;
}

/// What the legacy stream and those that are ordered by it have to do before.
void orderByLegacy(const StreamPointer& stream, std::vector<Point>& after) {
  if (!stream->waits_for_legacy) return;
  const StreamPointer legacy = legacyOf(stream->life);
  if (stream != legacy) {
    if (legacy->done < legacy->enqueued) after.push_back({legacy, legacy->enqueued});
    return;
  }
  std::map<StreamPointer, std::uint64_t> last;
  for (const Connection& connection : connectionsOf(stream->life))
    for (const Entry& entry : connection.entries)
      if (entry.stream->waits_for_legacy && entry.stream != legacy)
        last[entry.stream] = entry.number;
  for (const auto& [other, number] : last) after.push_back({other, number});
}

std::string textOf(const StreamState& stream) {
  return stream.id == kLegacyId ? "the legacy stream" : "stream " + std::to_string(stream.id);
}

/// Waits under the lock; returns at once when the context is lost, or its life is over.
template <class Condition>
Result waitUntil(std::unique_lock<std::mutex>& lock, const Life& life, const Condition& condition) {
  ++queues().waiters;
  queues().changed.wait(lock, [&] { return isLost() || life.is_over || condition(); });
  --queues().waiters;
  return life.is_over ? kContextIsDestroyed : lostBy();
}

void waitForPoints(const Entry& entry) {
  for (const Point& point : entry.after) {
    const Waiting waiting([&] {
      return textOf(*entry.stream) + ", in " + entry.task.call + ", waits for " +
             textOf(*point.stream);
    });
    std::unique_lock lock(queues().mutex);
    if (waitUntil(lock, entry.stream->life, [&] { return isDoneLocked(point); }) == kSuccess)
      continue;
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

void runConnection(Connection& connection, Life& life) {
  belongTo(life);
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
void startThread(Connection& connection, std::size_t index, Life& life) {
  if (std::exchange(connection.has_thread, true)) return connection.has_entries.notify_one();
  sigset_t all, before;
  sigfillset(&all);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([&connection, &life, index] {
    pthread_setname_np(pthread_self(), ("connection " + std::to_string(index)).c_str());
    runConnection(connection, life);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void push(Connection& connection, std::size_t index, Entry entry) {
  if (!connection.entries.empty()) connection.operations_behind += entry.task.operations;
  Life& life = entry.stream->life;
  connection.entries.push_back(std::move(entry));
  ++connection.pushed;
  startThread(connection, index, life);
}

}  // namespace

Result enqueue(const StreamPointer& stream, Task task, std::vector<Point> after) {
  const char* const called = currentCall();
  const Waiting waiting([called, stream, thread = nameOfThread()] {
    return thread + " is in " + called + ": the launch queue of " + textOf(*stream) + " is full";
  });
  std::unique_lock lock(queues().mutex);
  const auto has_room = [&] { return hasRoom(connectionOf(*stream), task); };
  const Result result = waitUntil(lock, stream->life, has_room);
  if (result != kSuccess) return result;
  orderByLegacy(stream, after);
  Connection& connection = connectionOf(*stream);
  push(connection, stream->connection,
       {stream, ++stream->enqueued, std::move(after), std::move(task)});
  return kSuccess;
}

/// The threads that run what was in them keep the old connections, for ever.
void abandonAll(Life& life) {
  const std::lock_guard lock(queues().mutex);
  for (const Connection& connection : connectionsOf(life))
    for (const Entry& entry : connection.entries) entry.stream->done = entry.stream->enqueued;
  life.connections.are_abandoned = true;
  queues().changed.notify_all();
}

Connections& makeConnections() {
  const std::lock_guard lock(queues().mutex);
  return queues().all.emplace_back();
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
  return waitUntil(lock, point.stream->life, [&] { return isDoneLocked(point); });
}

namespace {

std::atomic<int> waiting_for_all{0};

struct WaitingForAll {
  WaitingForAll() { ++waiting_for_all; }
  ~WaitingForAll() { --waiting_for_all; }
  WaitingForAll(const WaitingForAll&) = delete;
  WaitingForAll& operator=(const WaitingForAll&) = delete;
};

}  // namespace

Result waitForThoseThatWaitForAll() {
  const char* const called = currentCall();
  const Waiting waiting([called, thread = nameOfThread()] {
    return thread + " is in " + called + ": another thread's call waits for all streams";
  });
  constexpr std::chrono::milliseconds kNap{1};
  while (waiting_for_all != 0 && !isLost() && !isOfBefore()) std::this_thread::sleep_for(kNap);
  return kSuccess;
}

Result waitForAll() {
  const char* const called = currentCall();
  const Waiting waiting([called, thread = nameOfThread()] {
    return thread + " is in " + called + ": it waits for all streams";
  });
  const Life& life = currentLife();
  const WaitingForAll counted;
  std::unique_lock lock(queues().mutex);
  std::vector<std::uint64_t> pushed;
  const auto& all = connectionsOf(life);
  for (const Connection& connection : all) pushed.push_back(connection.pushed);
  return waitUntil(lock, life, [&] {
    for (std::size_t index = 0; index < pushed.size(); ++index)
      if (all[index].popped < pushed[index]) return false;
    return true;
  });
}

std::size_t entriesOfType(int type) {
  const std::lock_guard lock(queues().mutex);
  std::size_t count = 0;
  for (const Connections& connections : queues().all) {
    if (connections.are_abandoned) continue;
    for (const Connection& connection : connections.each)
      for (const Entry& entry : connection.entries) count += entry.task.type == type;
  }
  return count;
}

bool isFreeForLegacy() {
  const Life& life = currentLife();
  const std::lock_guard lock(queues().mutex);
  bool has_idle = false;
  for (const Connection& connection : connectionsOf(life)) {
    has_idle |= connection.entries.empty();
    for (const Entry& entry : connection.entries)
      if (entry.stream->waits_for_legacy) return false;
  }
  return has_idle;
}

StreamPointer legacyState() {
  Life& life = currentLife();
  const std::lock_guard lock(queues().mutex);
  return legacyOf(life);
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
