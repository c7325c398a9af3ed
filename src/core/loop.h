// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <ucxx/options.h>
#include <ucxx/stats.h>
#include <ucxx/worker.h>

#include "base/clock.h"
#include "base/id128.h"
#include "base/mpsc_queue.h"
#include "base/poller.h"
#include "core/counters.h"
#include "core/endpoint_state.h"
#include "core/link.h"
#include "core/matcher.h"
#include "core/owner.h"
#include "core/progress_thread.h"
#include "core/receivers.h"
#include "core/wake.h"
#include "door/door.h"
#include "ucp/worker.h"

namespace ucxx::core {

class ContextState;
class Timer;
struct WorkerAddress;

/// A peer that asked a listener for an endpoint and waits for the answer.
struct ConnectionRequest {
  base::Id128 peer;
  EndpointState* endpoint = nullptr;  // passive until accepted
  std::uint64_t listener = 0;
};

/// A listener as the loop knows it.
struct ListenerState {
  std::uint64_t id = 0;
  ucp_listener_conn_callback_t callback = nullptr;
  void* argument = nullptr;
};

/// Never used twice in a process, never 0.
std::uint64_t nextListenerId() noexcept;

/// The loop of one worker: the only place that touches its channels, its matcher and its door.
/// Whoever owns it (see Owner) calls everything here, except where another thread is named.
class Loop {
 public:
  Loop(std::shared_ptr<Context> context, const WorkerOptions& options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// @name From any thread (operations.cpp: submit, cancel; progress_thread.cpp: threads; loop.cpp)
  /// @{
  /// Starts a transfer: at once when this thread can own the loop, else through the queue.
  void submit(Operation& op);
  /// A tag send without callback that can be done in this call; null: it cannot, nothing has
  /// happened. What has ended needs no request of its own.
  std::shared_ptr<Request> sendAtOnce(Endpoint& user, EndpointState& endpoint, const void* buffer,
                                      std::size_t size, std::uint64_t tag);
  void cancel(Operation& op);
  /// Runs `task` on the loop, in order with the posts of this thread; does not wait for it.
  void execute(std::function<void()> task);
  /// Runs `task` on the loop and waits for its end; rethrows what it throws. Throws TimedOutError
  /// when no thread lets it in for long.
  void run(const std::function<void()>& task);
  bool progress();
  bool progressOnce();
  /// Sleeps until something happens, `timeout_ms` at most. False: there was work, no sleep.
  bool sleep(int timeout_ms);
  bool arm();
  void submitReceiveOf(Operation& op, Message* message);
  void signal() noexcept { wake_.signal(); }
  void startThread(const ProgressOptions& options);
  void stopThread();
  /// The progress thread, first of all.
  void threadBegins() noexcept;
  bool hasThread() const noexcept { return thread_running_.load(std::memory_order_acquire); }
  std::thread::id threadId() const noexcept { return thread_id_.load(std::memory_order_acquire); }
  int eventFd() const noexcept { return poller_.fd(); }
  bool isMine() const noexcept { return owner_.isMine(); }
  WorkerStats stats() const;
  std::string describe();
  /// @}

  /// @name The rounds of whoever owns it (loop.cpp)
  /// @{
  bool round();
  /// Does what other threads posted.
  bool drainPosts();
  Owner& owner() noexcept { return owner_; }
  /// Ends what is open, without waiting for peers.
  void shutDown() noexcept;
  /// The worker was dropped inside a callback of its own loop, which ends when that has returned.
  static void endLater(std::unique_ptr<Loop> loop) noexcept;
  /// That loop, for the round that is over; it goes with the result. Null: it goes on.
  std::unique_ptr<Loop> takeEnding() noexcept { return std::move(ending_); }
  /// @}

  /// @name Operations (operations.cpp)
  /// @{
  void start(Operation& op);
  void track(Operation& op) noexcept;
  void forget(Operation& op) noexcept;
  void cancelNow(Operation& op) noexcept;
  std::size_t cancelFailed() noexcept;
  /// @}

  /// @name Endpoints (endpoints.cpp), listeners (listeners.cpp), links (meeting.cpp)
  /// @{
  EndpointState& newEndpoint(bool own_opened);
  EndpointState& open(const WorkerAddress& address, bool error_handling);
  void openByName(EndpointState& endpoint, std::vector<door::SocketAddress> addresses);
  void openByAddress(EndpointState& endpoint, const WorkerAddress& address);
  void releaseEndpoint(EndpointState& endpoint);
  void freeEndpointIfDone(EndpointState& endpoint) noexcept;
  std::vector<EndpointState*> endpoints() const;
  EndpointState* findEndpoint(std::uint64_t key) const noexcept;
  door::SocketAddress listen(const std::vector<door::SocketAddress>& addresses, int backlog,
                             const ListenerState& listener);
  void stopListening(std::uint64_t listener) noexcept;
  void ask(ConnectionRequest request);
  EndpointState& accept(ucp_conn_request_h request);
  void reject(ucp_conn_request_h request);
  const ConnectionRequest& connectionRequest(ucp_conn_request_h request) const;
  std::string address();
  Link& selfLink();
  door::Hello hello(std::uint64_t own_name) const;
  /// A link lost its last endpoint, failed or ended: looked at after this round.
  void reviewLinks() noexcept { review_links_ = true; }
  /// Endpoints that still call the same peer go over `link`, which is in use.
  void gatherOn(Link& link);
  /// The link by which new opens to this worker go; null when there is none.
  Link* linkTo(const base::Id128& worker) const noexcept;
  /// @}

  std::shared_ptr<Worker> user() const { return user_.lock(); }
  void setUser(std::weak_ptr<Worker> user) { user_ = std::move(user); }
  ucp::Worker& ucp() noexcept { return *ucp_; }
  const base::Id128& id() const noexcept { return id_; }
  base::TimePoint now() const noexcept { return now_; }
  std::uint64_t lastOrder() const noexcept { return last_order_; }
  door::Door& door() noexcept { return *door_; }
  /// A timer that must fire at `when`, at the latest.
  void needsTimeAt(base::TimePoint when) noexcept {
    if (when < next_time_) next_time_ = when;
  }
  /// Door events come soon (a connect is going on): look at the descriptors each round for a while.
  void lookOften() noexcept {
    look_often_ = true;
    look_often_until_ = base::Clock::now() + std::chrono::milliseconds(5);
  }

  const WorkerOptions options;
  const bool can_sleep;  // the context has the WAKEUP feature
  Counters counters;
  Matcher tags;
  Matcher multis;
  MessageList probed;  // taken out of `tags` by a probe, not received yet
  Receivers receivers;
  std::atomic<bool> blocking{false};          // initBlockingProgressMode was called
  std::function<void(void*)> start_callback;  // of progress threads; guarded by `thread_mutex`
  void* start_argument = nullptr;
  GenericCallbacks pre_callbacks, post_callbacks;
  std::unique_ptr<ProgressThread> thread;  // guarded by `thread_mutex`
  std::mutex thread_mutex;
  /// Unexpected bytes held for the own worker.
  std::size_t self_unexpected = 0;

 private:
  /// An entry of the calling thread. A worker that a callback dropped meanwhile ends when it
  /// leaves.
  class Visit final : public Entry {
   public:
    explicit Visit(Loop& loop) noexcept : Entry(loop.owner_), loop_(loop) {}
    ~Visit();
    /// False inside a callback, and while another thread owns the loop. Throws in a forked child.
    bool mayProgress() const;

   private:
    Loop& loop_;
  };
  struct UcpDescriptor;

  bool rounds();
  void abandonUcp() noexcept;
  /// Not older than a look; `now()` may be, when nobody progressed for a while.
  base::TimePoint recentTime() noexcept;
  bool lookAtDescriptors();
  void onTime();
  void onLinkTime(Link& link);
  void pushOut() noexcept;
  bool reviewNow() noexcept;
  bool isQuiet();
  void queue(Post& post) noexcept;
  void watchExpecting() noexcept;
  void reportStalls();
  base::TimePoint nextTime() const noexcept;
  Link& newLink(ChannelKind channel);
  void startCalling(Link& link);
  void call(Link& link);
  void bringUp(Link& link, const door::Hello& hello, std::unique_ptr<door::Connection> connection,
               std::uint64_t own_name, bool own_call);
  void enlist(Link& link);
  void removeLink(std::size_t index) noexcept;
  ConnectionRequest take(ucp_conn_request_h request);
  Link* findByPeerName(std::uint64_t peer_name) const noexcept;
  void onWelcome(Link& link, const door::Hello& hello, std::unique_ptr<door::Connection>);
  void onCallEnded(Link& link, ucs_status_t status, const door::Refused* refused);
  Link* crossing(const base::Id128& peer) const noexcept;
  void leaveFor(Link& other, Link& link);
  void moveEndpoints(Link& from, Link& to);
  std::variant<door::Hello, door::Refused> answer(std::uint64_t listener, const door::Hello& hello);
  void onAccepted(const door::Hello& hello, std::unique_ptr<door::Connection> connection);
  void onLost(Link& link, ucs_status_t status);
  void drain(Link& link);
  std::uint64_t nameFor(const door::Hello& hello) const noexcept;
  door::Events doorEvents();
  static void onUcpMessage(void* self, std::span<const std::byte> header, const ucp::Payload&);
  Link* findByName(std::uint64_t own_name) const noexcept;

  std::atomic<bool> thread_running_{false};
  std::atomic<std::thread::id> thread_id_{};

  const std::shared_ptr<Context> context_;
  const base::Id128 id_;
  std::weak_ptr<Worker> user_;
  Owner owner_;
  base::MpscQueue posts_;
  std::vector<Post*> held_posts_;  // delayed submissions that came before the progress thread
  base::Poller poller_;
  Wake wake_;
  std::unique_ptr<Timer> timer_;
  std::unique_ptr<ucp::Worker> ucp_;
  std::unique_ptr<UcpDescriptor> ucp_descriptor_;
  std::unique_ptr<door::Door> door_;
  std::vector<std::byte> ucp_address_;
  std::uint64_t name_secret_[2];

  base::TimePoint now_;
  base::TimePoint next_time_ = base::TimePoint::max();
  base::TimePoint look_often_until_{};
  base::TimePoint expecting_at_{};  // when `watchExpecting` is due in a loop that polls
  std::uint64_t last_order_ = 0;    // of an operation
  bool look_often_ = false;
  std::uint64_t events_ = 0;  // of the door, so far
  std::uint64_t last_look_cycles_ = 0;
  bool review_links_ = false;
  std::size_t ucp_links_ = 0;  // links with a UCX endpoint: else UCX needs no progress
  unsigned depth_ = 0;         // of posts from callbacks

  const std::shared_ptr<Request> sent_;  // what `sendAtOnce` gives for all that have ended
  std::shared_ptr<void> flush_at_end_;
  std::unique_ptr<Loop> ending_;  // this one, see endLater
  PendingList pending_;           // operations that are bound to no endpoint
  std::vector<std::unique_ptr<Link>> links_;
  std::unordered_map<std::uint64_t, Link*> links_by_name_;
  std::map<base::Id128, Link*> links_by_peer_;
  Link* self_link_ = nullptr;
  std::map<std::uint64_t, std::unique_ptr<EndpointState>>
      endpoints_;  // in the order of their making
  std::unordered_map<std::uint64_t, ListenerState> listeners_;
  std::unordered_map<std::uint64_t, ConnectionRequest> requests_;
  std::uint64_t next_request_ = 1;
  std::vector<door::SocketAddress> own_door_;  // where the worker itself is met
  std::string own_address_;

  friend class Link;
};

}  // namespace ucxx::core
