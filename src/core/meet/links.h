// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/poller.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "door/door.h"
#include "door/hello.h"
#include "local/channel.h"

namespace ucxx::core {

class EndpointState;
struct WorkerAddress;

/// The links of a worker, one for each peer that it has met, and how they come about: calls to
/// doors, hellos that arrive, and which link stays when two cross. Whoever owns the loop calls
/// this.
class Links {
 public:
  Links(Loop& loop, base::Poller& poller);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  /// @name The table (links.cpp, draining.cpp)
  /// @{
  const std::vector<std::unique_ptr<Link>>& all() const noexcept { return all_; }
  Link& self();
  /// The link by which new opens to this worker go; null when there is none.
  Link* to(const base::Id128& worker) const noexcept;
  /// By what the peer calls it in its headers.
  Link* named(std::uint64_t own_name) const noexcept;
  /// `link` has an endpoint of UCX, from now on until it is freed.
  void connect(Link& link) noexcept;
  /// Acts upon what has happened to `link` in a round; frees it if it has ended.
  void review(Link& link) noexcept;
  /// See Link.
  void revokeReceives(const EndpointState& endpoint) noexcept;
  /// The peer of `link` has gone; what it had sent may still come.
  void onLost(Link& link, ucs_status_t status);
  /// UCX beside the local channel of `link` has gone: the peer may still be there, and talk by the
  /// ring.
  void onUcxLost(Link& link, ucs_status_t status);
  /// Whether all that the peer of `link` had sent has come: then the link fails.
  void drain(Link& link);
  /// Tells the door which peers are waited for, and looks which bulk rings have memory.
  void watch() noexcept;
  void clear() noexcept { all_.clear(); }
  /// Nobody is waited for any longer.
  void abandonCopies() noexcept;
  void abandonPlans() noexcept;
  /// UCX still has requests of them: they are never freed.
  void abandon() noexcept;
  /// @}

  /// @name Meeting (meeting.cpp; inside a machine: meeting_locally.cpp; else: meeting_by_ucx.cpp)
  /// @{
  /// Where peers on this machine call; zero: nowhere. Opens the door there. Throws when it cannot,
  /// with `UCXX_LOCAL=only`.
  base::Id128 localName();
  /// Throw UNREACHABLE if `UCXX_LOCAL=only` leaves no way there.
  void requireWay(const std::string& host, const std::vector<door::SocketAddress>& addresses) const;
  void requireWay(const WorkerAddress& address) const;
  void openByName(EndpointState& endpoint, std::vector<door::SocketAddress> addresses);
  void openByAddress(EndpointState& endpoint, const WorkerAddress& address);
  /// `link` still calls, and somebody else waits for it, too.
  void extend(Link& link, base::TimePoint until) noexcept;
  /// `endpoint` was not connected in time; others that share its call go on waiting.
  void giveUpConnecting(EndpointState& endpoint) noexcept;
  /// Endpoints that still call the same peer go over `link`, which is in use.
  void gatherOn(Link& link);
  /// What a peer needs to meet this worker by UCX, which is made for it. Throws what UCX throws.
  const std::vector<std::byte>& ucxAddress();
  /// `ucxAddress`, if there are descriptors for what follows.
  const std::vector<std::byte>& readyToMeetByUcx();
  /// UCX ends the process for an address of a version that it does not know.
  bool isReadable(std::span<const std::byte> ucx_address);
  /// `link` waits to call again, or for its caller, and has waited long enough.
  void goOnCalling(Link& link);
  /// What is due at the door, and what waits for room in a standing receive.
  void onTime();
  base::TimePoint nextDeadline() const noexcept { return door_->nextDeadline(); }
  /// How many things have happened at the door so far.
  std::uint64_t events() const noexcept { return events_ + door_->counters().accepted; }
  door::Door& door() noexcept { return *door_; }
  /// @}

  /// @name Meeting again (meeting_again.cpp)
  /// @{
  /// The peer of `over` asks for one of the listeners, and answers.
  void onListenerAsk(Link& over, std::uint64_t number, std::uint64_t listener);
  void onListenerAnswer(Link& over, std::uint64_t number, std::uint64_t listener);
  /// Somebody asks by `over`.
  bool isAsking(const Link& over) const noexcept;
  /// None comes by `over` any more.
  void stopAsking(const Link& over) noexcept;
  /// @}

  /// Links without an endpoint that have not said goodbye yet, or answered one.
  std::size_t lingering() const noexcept;

 private:
  Link& add(ChannelKind channel);
  void enlist(Link& link);
  void remove(Link& link) noexcept;
  Link* findByPeerName(std::uint64_t peer_name) const noexcept;

  door::Events doorEvents();
  door::Hello hello(std::uint64_t own_name) const;
  std::uint64_t nameFor(const door::Hello& hello) const noexcept;
  /// `link`: the name of the one that exists.
  door::Refused refused(door::Refusal reason, std::uint64_t listener,
                        std::uint64_t link = 0) const noexcept;
  door::Answer answer(std::uint64_t listener, const door::Hello& hello,
                      door::Descriptors descriptors, const door::SocketAddress& caller);
  door::Answer answerLocally(const door::Hello& hello, door::Descriptors descriptors,
                             std::uint64_t listener);
  door::Answer answerByUcx(const door::Hello& hello, std::uint64_t listener);
  void forgetAnswered();
  std::unique_ptr<local::Channel> takeAnswered(std::uint64_t own_name);
  bool isNearer(const door::Hello& hello);
  void onAccepted(const door::Hello& hello, std::unique_ptr<door::Connection> connection);
  void onWelcome(Link& link, const door::Hello& hello, door::Descriptors descriptors,
                 std::unique_ptr<door::Connection>);
  bool joinLocally(Link& link, const door::Hello& hello, door::Descriptors descriptors);
  void onCallEnded(Link& link, const door::Call& call, ucs_status_t status,
                   const door::Refused* refused);
  /// What has happened to `link` and cannot be acted upon for want of memory is its end.
  template <class Act>
  static void orFail(Link& link, const Act& act) {
    try {
      act();
    } catch (const std::bad_alloc&) {
      link.fail(UCS_ERR_NO_MEMORY);
    }
  }
  void startDraining(Link& link, ucs_status_t status);
  template <class Route>
  void beginCalling(Link& link, EndpointState& endpoint, const Route& route);
  void startCalling(Link& link, base::TimePoint until);
  void call(Link& link);
  bool askByLink(Link& link);
  void endAsking(Link& link) noexcept;
  std::uint16_t portForCaller() noexcept;
  void callNow(Link& link) noexcept;
  void goOver(Link& link, Link& existing, std::uint64_t listener);
  void callAgain(Link& link);
  void failCalling(Link& link, ucs_status_t status, std::string_view why);
  static ucs_status_t statusOf(door::Refusal reason) noexcept;
  void failAsAnswered(Link& link, const door::Call& call, ucs_status_t status);
  void routeByName(Link& link);
  void routeByAddress(Link& link, const WorkerAddress& address);
  bool introduceLocally(Link& link, door::Hello& introduction, door::Descriptors& descriptors);
  bool introduceByUcx(Link& link, door::Hello& introduction);
  bool tryAnotherWay(Link& link, ucs_status_t status, const door::Refused* refused);
  void goByAddress(Link& link, ucs_status_t status, std::string why_not_local);
  std::string whyNotLocal(const Link& link, const door::Hello& hello) const;
  void bringUp(Link& link, const door::Hello& hello, std::unique_ptr<door::Connection> connection,
               std::unique_ptr<local::Channel> channel, std::uint64_t own_name, bool own_call);
  Link* crossing(const base::Id128& peer) const noexcept;
  void leaveFor(Link& other, Link& link);
  void moveEndpoints(Link& from, Link& to);

  Loop& loop_;
  std::vector<std::byte> ucx_address_;  // empty: not asked for yet
  const std::uint64_t name_secret_[2];
  std::unique_ptr<door::Door> door_;
  base::Id128 local_name_;  // zero: not open yet
  /// What is kept of local hellos that were welcomed: until their connection comes, or never does.
  struct Answered {
    std::unique_ptr<local::Channel> channel;
    base::TimePoint until;
  };
  std::map<std::uint64_t, Answered> answered_;  // by the name of the link
  std::uint64_t events_ = 0;
  std::vector<std::unique_ptr<Link>> all_;
  std::uint16_t last_port_ = 0;  // that a caller without a socket was given
  std::unordered_map<std::uint64_t, Link*> by_name_;
  std::map<base::Id128, Link*> by_peer_;
  Link* self_ = nullptr;
};

inline Links& linksOf(const Loop& loop) noexcept { return *loop.rooms.links; }

}  // namespace ucxx::core
