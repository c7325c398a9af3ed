// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/loop.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <ucxx/context.h>
#include <ucxx/exception.h>
#include <ucxx/request_tag.h>

#include "base/log.h"
#include "core/context_state.h"
#include "core/progress_thread.h"
#include "core/timer.h"
#include "core/transfers.h"

namespace ucxx::core {
namespace {

/// How often a loop that polls looks at its descriptors: about 100 us.
constexpr std::uint64_t kLookCycles = 250'000;
/// Rounds of one `progress()`, so that a flood cannot keep its caller for ever.
constexpr int kMaxRounds = 4096;
/// How long a call waits for a thread that does not leave the loop: two callbacks that call each
/// other's workers wait for each other.
constexpr auto kPatience = std::chrono::minutes(1);
/// Posts that one round does.
constexpr int kMaxPosts = 1024;

WorkerOptions bounded(WorkerOptions options) {
  const std::size_t half_of_memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 2 *
                                     static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  options.multi_bytes = std::min(options.multi_bytes, half_of_memory);
  return options;
}

ucp::ThreadMode threadMode(const WorkerOptions& options) {
  if (options.single_thread) return ucp::ThreadMode::Single;
  return options.serialized ? ucp::ThreadMode::Serialized : ucp::ThreadMode::Multi;
}

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
class Rendezvous {
 public:
  explicit Rendezvous(const std::function<void()>& task) : task_(&task) {}

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

/// UCX's descriptor among the others. It can be ready although UCX armed it, and although there are
/// no endpoints any more (the last one's peer has left): it is quiet again once UCX has progressed.
struct Loop::UcpDescriptor final : base::PollHandler {
  UcpDescriptor(base::Poller& poller_, int fd_) : poller(poller_), fd(fd_) {
    if (fd >= 0) poller.add(fd, EPOLLIN, *this);
  }
  ~UcpDescriptor() {
    if (fd >= 0) poller.remove(fd, *this);
  }
  void onReady(std::uint32_t) override { is_ready = true; }
  base::Poller& poller;
  const int fd;
  bool is_ready = false;  // since the last look
};

Loop::Loop(std::shared_ptr<Context> context, const WorkerOptions& worker_options)
    : options(bounded(worker_options)),
      can_sleep(context->state().hasWakeup()),
      context_(std::move(context)),
      id_(base::randomId128()),
      owner_(options.single_thread),
      wake_(poller_),
      now_(base::Clock::now()),
      sent_(makeEndedRequest<RequestTag>(OperationKind::TagSend)) {
  timer_ = std::make_unique<Timer>(poller_);
  name_secret_[0] = base::randomU64();
  name_secret_[1] = base::randomU64();
  ucp_ = std::make_unique<ucp::Worker>(context_->state().ucp, threadMode(options), can_sleep,
                                       ucp::ChannelEvents{this, onUcpMessage});
  ucp_descriptor_ = std::make_unique<UcpDescriptor>(poller_, ucp_->eventFd());
  ucp_address_ = ucp_->address();
  door_ = std::make_unique<door::Door>(poller_, doorEvents());
  reportStalls();  // begins its timer
}

Loop::~Loop() {
  if (base::isForkedChild()) {  // nothing of it is ours: forget it all
    (void)thread.release();
    (void)ucp_.release();
    (void)door_.release();
    (void)ucp_descriptor_.release();
    (void)new std::vector<std::unique_ptr<Link>>(std::move(links_));
    (void)new decltype(endpoints_)(std::move(endpoints_));
    return;
  }
  stopThread();
  while (!owner_.tryEnter()) std::this_thread::yield();
  shutDown();
  if (ucp_links_ != 0) abandonUcp();
  links_.clear();
  endpoints_.clear();
  discardMessages(*this);
  door_.reset();
  ucp_descriptor_.reset();
  ucp_.reset();
}

Loop::Visit::~Visit() {
  if (!isOwner() || isNested()) return;
  const std::unique_ptr<Loop> ending = loop_.takeEnding();
  leave();
}

bool Loop::Visit::mayProgress() const {
  if (!isOwner()) base::requireNotForked();
  return isOwner() && !isNested();
}

void Loop::queue(Post& post) noexcept {
  counters.queued_posts.fetch_add(1, std::memory_order_relaxed);
  posts_.push(&post);
  wake_.ringIfAsleep();
}

bool Loop::drainPosts() {
  bool any = false;
  const bool in_thread = owner_.isReserved();
  if (in_thread && !held_posts_.empty()) {
    for (Post* post : std::exchange(held_posts_, {})) post->run(*this, *post);
  }
  // Callbacks may post as long as they are called: the rest is for the next round.
  for (int i = 0; i < kMaxPosts; ++i) {
    base::MpscNode* node = posts_.pop();
    if (node == nullptr) break;
    auto& post = *static_cast<Post*>(node);
    counters.unqueued_posts.add();
    any = true;
    if (post.for_thread && !in_thread)
      held_posts_.push_back(&post);
    else
      post.run(*this, post);
  }
  return any;
}

void Loop::execute(std::function<void()> task) {
  const Visit entry(*this);
  if (!entry.isOwner()) return queue(*new Task(std::move(task)));
  if (!entry.isNested()) drainPosts();
  task();
  if (wake_.isAnnounced()) wake_.ringIfAsleep();
}

void Loop::run(const std::function<void()>& task) {
  base::requireNotForked();
  auto meeting = std::make_shared<Rendezvous>(task);
  execute([meeting] { meeting->perform(); });
  const base::TimePoint patience = base::deadlineAfter(kPatience);
  while (!meeting->waitFor(std::chrono::milliseconds(1))) {
    // Whoever owned the loop may have left it with our task still queued.
    if (const Visit entry(*this); entry.isOwner()) drainPosts();
    if (base::Clock::now() > patience && meeting->abandon())
      throw TimedOutError("the thread that owns this worker has let nobody in for a minute");
  }
  meeting->rethrow();
}

bool Loop::progress() {
  const Visit entry(*this);
  if (!entry.mayProgress()) return false;
  wake_.endSleep();
  return rounds();
}

bool Loop::rounds() {
  // Until nothing moves, or a request has ended: its owner should not wait while UCX finds out,
  // by a system call, that nothing else is there.
  const std::uint64_t ended = counters.ended.value();
  for (int rounds = 0; rounds < kMaxRounds && counters.ended.value() == ended; ++rounds) {
    if (!round()) return rounds != 0;
  }
  return true;
}

bool Loop::progressOnce() {
  const Visit entry(*this);
  if (!entry.mayProgress()) return false;
  wake_.endSleep();
  return round();
}

bool Loop::round() {
  bool moved = !posts_.empty() && drainPosts();
  if (ucp_links_ != 0 && ucp_->progress()) moved = true;
  const std::uint64_t cycles = base::cycles();
  if (cycles - last_look_cycles_ > kLookCycles || look_often_) {
    last_look_cycles_ = cycles;
    if (lookAtDescriptors()) moved = true;
  }
  if (review_links_ && reviewNow()) moved = true;
  return moved;
}

base::TimePoint Loop::recentTime() noexcept {
  if (base::cycles() - last_look_cycles_ > kLookCycles) now_ = base::Clock::now();
  return now_;
}

bool Loop::lookAtDescriptors() {
  now_ = base::Clock::now();
  const std::uint64_t before = events_;
  poller_.dispatch(0);
  // Rounds leave UCX alone without links; sockets that peers have left would wake us for ever.
  if (std::exchange(ucp_descriptor_->is_ready, false) && ucp_links_ == 0) ucp_->progress();
  if (events_ != before) look_often_until_ = now_ + std::chrono::milliseconds(5);
  look_often_ = now_ < look_often_until_;
  if (now_ >= nextTime()) onTime();
  if (now_ >= expecting_at_) watchExpecting();
  return events_ != before;
}

base::TimePoint Loop::nextTime() const noexcept {
  return std::min(next_time_, door_->nextDeadline());
}

bool Loop::isQuiet() {
  if (wake_.takeSignal() || !posts_.empty() || review_links_) return false;
  if (!can_sleep || ucp_->arm()) return true;
  ucp_->progress();  // rounds leave UCX alone when it has no endpoints, but it may have events left
  return false;
}

bool Loop::arm() {
  const Visit entry(*this);
  if (!entry.isOwner()) return false;  // its owner may be about to leave: look again
  now_ = base::Clock::now();
  watchExpecting();
  wake_.announceSleep();
  if (isQuiet()) {
    timer_->set(nextTime());
    return true;
  }
  wake_.endSleep();
  return false;
}

bool Loop::sleep(int timeout_ms) {
  if (!arm()) return false;
  pollfd waiting{poller_.fd(), POLLIN, 0};
  ::poll(&waiting, 1, timeout_ms);
  const Visit entry(*this);
  if (!entry.isOwner()) return true;  // another thread has taken over, and looks itself
  now_ = base::Clock::now();
  wake_.endSleep();
  (void)wake_.takeSignal();  // it has done its work
  look_often_ = true;        // whatever woke us is looked at first
  counters.wake_ups.add();
  return true;
}

WorkerStats Loop::stats() const {
  const Counters& c = counters;
  WorkerStats stats;
  stats.messages_sent = c.messages_sent.value();
  stats.messages_received = c.messages_received.value();
  stats.bytes_sent = c.bytes_sent.value();
  stats.bytes_received = c.bytes_received.value();
  stats.inline_completions = c.inline_completions.value();
  stats.unexpected_messages = c.unexpected_messages.value();
  stats.wake_ups = c.wake_ups.value();
  stats.queued_posts = c.queued_posts.load(std::memory_order_relaxed);
  const std::uint64_t unqueued = c.unqueued_posts.value();
  stats.queue_depth = stats.queued_posts > unqueued ? stats.queued_posts - unqueued : 0;
  const std::uint64_t ended = c.ended.value();
  const std::uint64_t started = c.started.value();
  stats.pending_requests = started > ended ? started - ended : 0;
  stats.stalled_requests = c.stalled_requests.value();
  stats.reordered_messages = c.reordered_messages.value();
  stats.dropped_messages = c.dropped_messages.value();
  return stats;
}

void Loop::onUcpMessage(void* self, std::span<const std::byte> bytes, const ucp::Payload& payload) {
  auto& loop = *static_cast<Loop*>(self);
  const std::optional<WireHeader> header = readHeader(bytes);
  Link* link = header ? loop.findByName(header->link) : nullptr;
  if (link == nullptr) {
    loop.counters.dropped_messages.add();
    if (payload.announcement != nullptr) loop.ucp_->drop(payload.announcement);
    return;
  }
  link->onMessage(*header, bytes.subspan(sizeof(WireHeader)), payload);
}

/// Deadlines of endpoints, links and the door; whatever is due.
void Loop::onTime() {
  next_time_ = base::TimePoint::max();
  door_->onTime(now_);
  for (std::size_t i = 0; i < links_.size(); ++i) onLinkTime(*links_[i]);
  std::vector<EndpointState*> closing;
  for (auto& [key, endpoint] : endpoints_) {
    if (endpoint->close_deadline <= now_)
      closing.push_back(endpoint.get());
    else
      needsTimeAt(endpoint->close_deadline);
  }
  for (EndpointState* endpoint : closing) onCloseDeadline(*endpoint);
  reportStalls();
}

/// Gives UCX a moment to hand to the kernel what was sent; peers are not waited for.
void Loop::pushOut() noexcept {
  struct Flush final : ucp::Completion {
    bool ended = false;
  };
  if (ucp_links_ == 0) return;
  const auto flush = std::make_shared<Flush>();
  flush_at_end_ = flush;  // outlives this call: UCX may end it only when the links are cut
  flush->done = [](ucp::Completion& self, ucs_status_t) { static_cast<Flush&>(self).ended = true; };
  if (ucp_->flush(*flush) != UCS_INPROGRESS) return;
  const auto deadline = base::Clock::now() + std::chrono::milliseconds(100);
  while (!flush->ended && base::Clock::now() < deadline) ucp_->progress();
}

void Loop::shutDown() noexcept {
  owner_.reserve();  // whatever waits for a thread ends now
  drainPosts();
  for (auto& link : links_) {
    for (EndpointState* endpoint : link->endpoints()) {
      if (link->isStaying()) link->sendControl(MessageKind::Close, *endpoint);
      endEndpoint(*endpoint, UCS_OK);
    }
  }
  pushOut();
  for (auto& link : links_) link->end();
  cancelPending(pending_, UCS_ERR_CANCELED);
  const auto deadline = base::Clock::now() + std::chrono::seconds(1);
  while (ucp_links_ != 0 && base::Clock::now() < deadline) {
    ucp_->progress();
    reviewNow();
  }
}

/// UCX has not ended all requests in time. It waits with a failed rendezvous until no other worker
/// of the context sends the same buffer, and then comes back to memory of its worker: that must
/// stay. All lanes are closed, so nobody touches a buffer any more.
void Loop::abandonUcp() noexcept {
  base::log(LogLevel::Warn, "worker",
            "UCX still holds requests of {} peers: its worker is left behind", ucp_links_);
  for (EndpointState* endpoint : endpoints()) {
    while (Operation* op = endpoint->pending.front()) complete(*op, endpoint->overStatus());
  }
  while (Operation* op = pending_.front()) complete(*op, UCS_ERR_CANCELED);
  (void)ucp_.release();
  (void)new std::shared_ptr<Context>(context_);
  (void)new std::vector<std::unique_ptr<Link>>(std::move(links_));
}

}  // namespace ucxx::core
