// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <sys/socket.h>
#include <sys/types.h>
#include <ucs/type/status.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/poller.h"
#include "door/hello.h"
#include "door/secret.h"

namespace ucxx::door {

class Connection;  // one established door socket: the liveness of a link
class Call;        // one attempt to reach a door

/// What goes with a hello or a welcome over a Unix socket; over TCP there are none.
using Descriptors = std::vector<base::FileDescriptor>;
inline constexpr std::size_t kMaxDescriptors = 8;

/// Of a TCP socket, or of an abstract Unix one: that has neither ip nor port, and all such are on
/// one host. An end without a name (a caller's) shows as "unix:@".
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;

  bool isUnix() const noexcept { return storage.ss_family == AF_UNIX; }
  std::string ip() const;  ///< numeric
  std::uint16_t port() const;
  std::string toString() const;  ///< "127.0.0.1:80", "[::1]:80", "unix:@" and 32 hex digits
  bool sameHost(const SocketAddress& other) const;  ///< whatever the port
  bool operator==(const SocketAddress& other) const;
};

/// All addresses of `host`, IPv4 and IPv6. Throws `Error` (INVALID_ADDR, with the name) when there
/// is none. An empty host means the wildcard when `passive`, else loopback. Blocks if it asks DNS.
std::vector<SocketAddress> resolve(const std::string& host, std::uint16_t port, bool passive);
/// The abstract Unix socket of this name: it leaves nothing behind, and whoever does not know the
/// name cannot take it before.
SocketAddress unixAddress(const base::Id128& name);
/// The name that stands for `port` of this network namespace among processes of this effective
/// user, without any TCP port. Everybody can guess it: another user who takes it first keeps this
/// user from listening there (BUSY), and its callers away (INVALID_ADDR), but is never talked to.
base::Id128 nameOfPort(std::uint16_t port) noexcept;
/// Whether it is an address of this machine: the loopback's, a wildcard, or the kernel lets this
/// process bind to it.
bool isOwn(const SocketAddress& address) noexcept;

/// An answer that lets the caller in, and what goes with it: borrowed numbers, which stay open as
/// long as the door.
struct Welcome {
  Hello hello;
  std::vector<int> descriptors{};
};
using Answer = std::variant<Welcome, Refused>;

/// What the owner of a door is told, always on the worker's loop, never from inside a call of the
/// door's own functions (`onTime` and the poller's dispatch apart). Any of them may destroy any
/// connection, hang up any call, stop any listener; not the door. The door knows nothing of links;
/// it keeps the pointers given to it.
struct Events {
  void* owner = nullptr;

  /// A well-formed hello of a peer that knows the door's secret, if any, arrived at `listener`,
  /// perhaps with descriptors: what is not taken is closed. Return the answer: a Welcome (the
  /// connection becomes established and `onAccepted` follows with an equal hello, at once unless
  /// the peer has disappeared meanwhile), or a Refused, which sends away.
  Answer (*onHello)(void* owner, std::uint64_t listener, const Hello& hello,
                    Descriptors descriptors, const SocketAddress& from) = nullptr;
  /// After a welcome that the owner gave: the connection is the caller's to keep.
  void (*onAccepted)(void* owner, const Hello& hello, std::unique_ptr<Connection>) = nullptr;
  /// An outgoing call was welcomed, perhaps with descriptors. `call` ends with this.
  void (*onWelcome)(void* owner, Call& call, const Hello& hello, Descriptors descriptors,
                    std::unique_ptr<Connection>) = nullptr;
  /// An outgoing call ended otherwise: refused (status REJECTED and the reason; Existing is a
  /// success) or failed (`refused` is null): UNREACHABLE, TIMED_OUT, CONNECTION_RESET (hung up
  /// during the handshake), INVALID_ADDR (whatever answers there is no door, or another user's),
  /// NO_RESOURCE. A Busy door is called again until the call's time is over, so REJECTED for Busy
  /// means that; a Unix socket whose queue is full counts as one. `call` ends with this.
  void (*onCallEnded)(void* owner, Call& call, ucs_status_t status,
                      const Refused* refused) = nullptr;
  /// The peer of an established connection is gone (hang-up, reset, silence). Told once; destroying
  /// the connection is the owner's.
  void (*onLost)(void* owner, Connection& connection, ucs_status_t status) = nullptr;
};

struct Counters {
  std::uint64_t accepted = 0;  ///< connections taken from the kernel
  std::uint64_t welcomed = 0;
  /// Well-formed, too many half-open, another user, or without the secret: sent away.
  std::uint64_t refused = 0;
  std::uint64_t garbage = 0;    ///< another protocol, or broken
  std::uint64_t timed_out = 0;  ///< half-open for too long
  std::uint64_t out_of_descriptors = 0;
};

/// How long the kernel of a peer on another host may acknowledge nothing before the peer is lost.
struct Patience {
  std::chrono::milliseconds calm{4000};
  std::chrono::milliseconds tense{1000};  ///< while something is expected from it
};

/// Where workers meet: listening sockets, half-open connections, outgoing calls, and the sockets
/// that stay open as liveness. Touched by one loop. Everything has a deadline; a stranger can
/// neither block nor grow it.
class Door {
 public:
  /// With a secret it only meets doors that have the same, at every kind of socket; else only doors
  /// that have none.
  Door(base::Poller& poller, const Events& events, const Limits& limits = {},
       SharedSecret secret = nullptr, const Patience& patience = {});
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  /// Listens on `address` (port 0: the kernel chooses one >= 1024); `listener` comes back in
  /// `onHello`, and several addresses may have the same one. An IPv6 wildcard is IPv6 only, so that
  /// the IPv4 one fits beside it. Throws `Error` (BUSY: address in use, INVALID_ADDR, ...) naming
  /// the address. Returns where it really listens. Closing: `stopListening` (half-open connections
  /// that came through it end too). Callers beyond `backlog` in one instant wait for the
  /// kernel's retry of 1 s.
  SocketAddress listen(const SocketAddress& address, std::uint64_t listener, int backlog = 4096);
  /// The same at the abstract Unix socket `name`, for processes of this machine that run as the
  /// same effective user; all others are sent away. Callers beyond `backlog` call again by
  /// themselves.
  SocketAddress listenLocally(const base::Id128& name, std::uint64_t listener, int backlog = 4096);
  void stopListening(std::uint64_t listener) noexcept;

  /// Calls all of `addresses` at once, introduces itself with `hello` on the first that answers,
  /// goes on to the next if that one proves to be no door or the wrong one (with a secret: if it
  /// says what a stranger could say), and drops the rest. The Call is owned by the door and valid
  /// until one of its two events; never fails inside this function (a failure is an event of a
  /// later `onTime`/dispatch). `descriptors`, at most kMaxDescriptors, go with each hello over a
  /// Unix socket and are closed when the call ends.
  Call& call(std::vector<SocketAddress> addresses, Hello hello, Descriptors descriptors,
             void* context, std::chrono::milliseconds timeout);
  /// It may take longer: until then.
  void extend(Call& call, base::TimePoint until) noexcept;
  /// Ends a call without an event.
  void hangUp(Call& call) noexcept;

  /// The earliest instant at which `onTime` has something to do; `TimePoint::max()` when never.
  base::TimePoint nextDeadline() const noexcept;
  void onTime(base::TimePoint now);

  const Counters& counters() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

void* contextOf(const Call& call) noexcept;
/// For messages: the addresses of a call, each with the reason why it refused, if it has.
std::string whatWasSaidTo(const Call& call);
/// What a door said that has put the call off, if one has: it comes again.
std::optional<Refusal> whyPutOff(const Call& call) noexcept;

/// An established door socket. Kernels judge silence, not loops: a TCP keepalive probe each second,
/// and while `setExpecting(true)` a byte every 250 ms, which the peer's kernel acknowledges even
/// when its program computes or is stopped. How long it may acknowledge none says `Patience`. A
/// peer that does not read for very long gets no more than 4096 such bytes (then keepalive alone
/// watches). Where both ends have the same IP address there is one kernel, which reports every
/// death at once: no bytes there, and keepalive only now and then; over a Unix socket, none at all.
/// Destroying it hangs up (FIN), without an event. It may outlive its door, but is dead weight
/// then.
class Connection {
 public:
  struct Impl;
  explicit Connection(std::unique_ptr<Impl> impl) noexcept;  // by the door
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// True while requests that depend on the peer are pending. Cheap enough for each request: it
  /// sets a flag, and looks at the clock at most once in 250 ms.
  void setExpecting(bool expecting) noexcept;
  const SocketAddress& localAddress() const noexcept;
  const SocketAddress& peerAddress() const noexcept;
  /// For descriptions: who connected or listened at the other end of a Unix socket. 0 if unknown.
  pid_t peerProcess() const noexcept;
  /// The socket's; it lives as long as the connection.
  int descriptor() const noexcept;
  /// The owner's own pointer, e.g. its link.
  void* context = nullptr;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace ucxx::door
