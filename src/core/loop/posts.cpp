// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop/posts.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/mpsc_queue.h"
#include "base/phase.h"
#include "base/phases.h"
#include "base/waiting.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/loop/owner.h"
#include "core/loop/post.h"
#include "core/loop/wake.h"

namespace ucxx::core {
namespace {

/// How long a call waits for a thread that does not leave the loop: two callbacks that call each
/// other's workers wait for each other.
constexpr auto kPatience = std::chrono::minutes(1);
/// Posts that one round does.
constexpr int kMaxPosts = 1024;

struct Task final : Post {
  explicit Task(std::function<void()> function_) : function(std::move(function_)) {
    run = [](Loop&, Post& self) {
      const std::unique_ptr<Task> task(static_cast<Task*>(&self));
      task->function();
    };
  }
  std::function<void()> function;
};

/// A task whose caller waits, perhaps in vain: the task is the caller's, and gone when that gives
/// up.
class AwaitedTask {
 public:
  explicit AwaitedTask(const std::function<void()>& task) : task_(&task) {}

  /// On the loop.
  void perform() {
    std::unique_lock lock(mutex_);
    if (state_ == State::Abandoned) return;
    state_ = State::Running;
    lock.unlock();
    try {
      (*task_)();
    } catch (...) {
      error_ = std::current_exception();
    }
    lock.lock();
    state_ = State::Done;
    changed_.notify_all();
  }
  /// False: not done after `patience`.
  bool waitFor(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return state_ == State::Done; });
  }
  /// False: it runs already, and is to be waited for.
  bool abandon() {
    const std::lock_guard lock(mutex_);
    if (state_ == State::Waiting) state_ = State::Abandoned;
    return state_ == State::Abandoned;
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  enum class State : std::uint8_t { Waiting, Running, Done, Abandoned };
  const std::function<void()>* task_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::Waiting;
  std::exception_ptr error_;
};

}  // namespace

void Posts::post(Post& post) {
  const Loop::Visit entry(loop_);
  if (!mayStartHere<Kind::Transfer>(entry)) return queue(post);
  {
    const Nesting nesting(*this);
    post.run(loop_, post);
  }
  loop_.wake.ringOthers();
}

void Posts::queue(Post& post) noexcept {
  loop_.counters.queued_posts.fetch_add(1, std::memory_order_relaxed);
  queue_.push(&post);
  base::reached(base::Phase::PostQueued);
  loop_.wake.ringIfAsleep();
}

bool Posts::drain() {
  loop_.needsRound();
  bool any = false;
  const bool in_thread = loop_.owner.isReserved();
  while (in_thread) {
    auto* held = static_cast<Post*>(held_.pop());
    if (held == nullptr) break;
    held->run(loop_, *held);
  }
  // Callbacks may post as long as they are called: the rest is for the next round.
  for (int i = 0; i < kMaxPosts; ++i) {
    base::MpscNode* node = queue_.pop();
    if (node == nullptr) break;
    auto& post = *static_cast<Post*>(node);
    loop_.counters.unqueued_posts.add();
    any = true;
    if (post.for_thread && !in_thread)
      held_.push(&post);
    else
      post.run(loop_, post);
  }
  return any;
}

void Posts::execute(std::function<void()> task) {
  const Loop::Visit entry(loop_);
  if (!mayStartHere<Kind::Task>(entry)) return queue(*new Task(std::move(task)));
  task();
  loop_.wake.ringOthers();
}

void Posts::execute(Post& post) {
  const Loop::Visit entry(loop_);
  if (!mayStartHere<Kind::Task>(entry)) return queue(post);
  post.run(loop_, post);
  loop_.wake.ringOthers();
}

void Posts::run(const std::function<void()>& task) {
  base::requireNotForked();
  auto awaited = std::make_shared<AwaitedTask>(task);
  execute([awaited] { awaited->perform(); });
  if (awaited->waitFor(std::chrono::milliseconds(0))) return awaited->rethrow();
  const base::Waiting waiting;
  const base::TimePoint patience = base::deadlineAfter(kPatience);
  while (!awaited->waitFor(std::chrono::milliseconds(1))) {
    // Whoever owned the loop may have left it with the task still queued.
    if (const Loop::Visit entry(loop_); entry.isOwner()) drain();
    if (base::Clock::now() > patience && awaited->abandon())
      throw TimedOutError(
          "the thread that owns this worker has not let others in for a minute; does a callback "
          "wait?");
  }
  awaited->rethrow();
}

}  // namespace ucxx::core
