// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/world.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ucxx::door::test {
namespace {

Owner& asOwner(void* owner) { return *static_cast<Owner*>(owner); }

Answer onHello(void* owner, std::uint64_t listener, const Hello& hello, Descriptors descriptors,
               const SocketAddress&) {
  Owner& self = asOwner(owner);
  self.asked.push_back(hello);
  self.asked_with.push_back(std::move(descriptors));
  Owner::Answer answer = self.answer;
  std::get<Hello>(answer).listener = listener;
  if (self.decide) answer = self.decide(listener, hello);
  if (const auto* refused = std::get_if<Refused>(&answer)) return *refused;
  return Welcome{std::get<Hello>(answer), self.enclosed};
}

void keep(Owner& self, std::unique_ptr<Connection> connection) {
  Connection& kept = *self.connections.emplace_back(std::move(connection));
  if (self.on_connection) self.on_connection(kept);
}

void onAccepted(void* owner, const Hello& hello, std::unique_ptr<Connection> connection) {
  asOwner(owner).accepted.push_back(hello);
  keep(asOwner(owner), std::move(connection));
}

void onWelcome(void* owner, Call& call, const Hello& hello, Descriptors descriptors,
               std::unique_ptr<Connection> connection) {
  Owner& self = asOwner(owner);
  self.welcomes.push_back(hello);
  self.welcomed_with.push_back(std::move(descriptors));
  keep(self, std::move(connection));
  if (self.on_call_over) self.on_call_over(call);
}

void onCallEnded(void* owner, Call& call, ucs_status_t status, const Refused* refused) {
  Owner& self = asOwner(owner);
  self.ended.push_back({status, refused ? std::optional(*refused) : std::nullopt});
  if (self.on_call_over) self.on_call_over(call);
}

void onLost(void* owner, Connection& connection, ucs_status_t status) {
  Owner& self = asOwner(owner);
  self.lost.push_back({&connection, status});
  if (self.on_lost) self.on_lost(connection);
}

int openStream(int family) { return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0); }

const sockaddr* generic(const SocketAddress& address) {
  return reinterpret_cast<const sockaddr*>(&address.storage);
}

void makeNonBlocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

SocketAddress loopback4(std::uint16_t port) { return resolve("127.0.0.1", port, false).front(); }

SocketAddress farLoopback(std::uint16_t port) { return resolve("127.0.0.2", port, false).front(); }

SocketAddress loopback6(std::uint16_t port) { return resolve("::1", port, false).front(); }

bool hasIpv6() {
  const Raw raw = Raw::listenOn(loopback6(), 1);
  return raw.fd() >= 0;
}

std::string nameOf(const testing::TestParamInfo<Family>& info) {
  return info.param == Family::Tcp ? "Tcp" : "Unix";
}

SocketAddress freshAddress(Family family) {
  return family == Family::Tcp ? loopback4() : unixAddress(base::randomId128());
}

std::ptrdiff_t countOpenDescriptors() {
  using std::filesystem::directory_iterator;
  return std::distance(directory_iterator("/proc/self/fd"), directory_iterator());
}

Hello makeHello(std::uint64_t name) {
  Hello hello;
  hello.worker = {name, name};
  hello.machine = {3, 4};
  hello.link = 5 + name;
  hello.nonce = 6;
  hello.unexpected_bytes = 64 << 20;
  hello.announcements = 65536;
  hello.ucx_version = 1 << 16 | 22 << 8;
  hello.ucx_address.assign(300, std::byte{0xa5});
  return hello;
}

std::vector<std::byte> helloBytes() { return encode(FrameKind::Hello, makeHello()); }

SharedSecret secretOf(std::string_view text) {
  return std::make_shared<const Secret>(std::as_bytes(std::span(text)), "a test's secret");
}

Owner::Owner(base::Poller& poller, const Limits& limits, SharedSecret secret) {
  door.emplace(poller, Events{this, onHello, onAccepted, onWelcome, onCallEnded, onLost}, limits,
               std::move(secret));
}

SocketAddress Owner::listen(Family family, std::uint64_t listener) {
  if (family == Family::Tcp) return listen(listener);
  return door->listenLocally(base::randomId128(), listener);
}

void Owner::drop(const Connection& connection) {
  std::erase_if(connections, [&](const auto& each) { return each.get() == &connection; });
}

Owner& World::add(const Limits& limits, SharedSecret secret) {
  return *owners.emplace_back(std::make_unique<Owner>(poller, limits, std::move(secret)));
}

void World::turn(std::chrono::milliseconds longest) {
  base::TimePoint next = base::Clock::now() + longest;
  for (const auto& owner : owners) {
    if (owner->door) next = std::min(next, owner->door->nextDeadline());
  }
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - base::Clock::now());
  poller.dispatch(static_cast<int>(std::max<std::int64_t>(wait.count(), 0)));
  for (const auto& owner : owners) {
    if (owner->door) owner->door->onTime(base::Clock::now());
  }
}

bool World::runUntil(const std::function<bool()>& done, std::chrono::milliseconds deadline) {
  const auto end = base::Clock::now() + deadline;
  while (!done()) {
    if (base::Clock::now() > end) return false;
    turn(1ms);  // short: `done` may look at sockets that the poller does not know
  }
  return true;
}

void World::runFor(std::chrono::milliseconds time) {
  runUntil([] { return false; }, time);
}

Raw& Raw::operator=(Raw&& other) noexcept {
  close();
  fd_ = std::exchange(other.fd_, -1);
  return *this;
}

Raw Raw::connectTo(const SocketAddress& to) {
  Raw raw(openStream(to.storage.ss_family));
  if (::connect(raw.fd_, generic(to), to.length) != 0) raw.close();
  if (raw.fd_ >= 0) makeNonBlocking(raw.fd_);
  return raw;
}

Raw Raw::listenOn(const SocketAddress& at, int backlog) {
  Raw raw(openStream(at.storage.ss_family));
  if (raw.fd_ < 0) return raw;
  if (::bind(raw.fd_, generic(at), at.length) != 0 || ::listen(raw.fd_, backlog) != 0) raw.close();
  if (raw.fd_ >= 0) makeNonBlocking(raw.fd_);
  return raw;
}

Raw Raw::accept() const {
  return Raw(::accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

SocketAddress Raw::address() const {
  SocketAddress address;
  address.length = sizeof address.storage;
  ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address.storage), &address.length);
  return address;
}

void Raw::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

bool Raw::send(std::span<const std::byte> bytes) const {
  return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

bool Raw::sendWith(std::span<const std::byte> bytes, const std::vector<int>& descriptors) const {
  const std::size_t length = descriptors.size() * sizeof(int);
  std::vector<std::byte> control(CMSG_SPACE(length));
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr& header = *CMSG_FIRSTHDR(&message);
  header.cmsg_level = SOL_SOCKET;
  header.cmsg_type = SCM_RIGHTS;
  header.cmsg_len = CMSG_LEN(length);
  std::memcpy(CMSG_DATA(&header), descriptors.data(), length);
  return ::sendmsg(fd_, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

bool Raw::send(const std::string& text) const { return send(std::as_bytes(std::span(text))); }

bool Raw::receive() {
  std::byte buffer[4096];
  for (;;) {
    const ssize_t got = ::recv(fd_, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EAGAIN) return true;
    if (got <= 0) hung_up = true;
    if (got <= 0) return false;
    received.insert(received.end(), buffer, buffer + got);
  }
}

void Raw::goDeaf() const {
  sock_filter drop_all = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog program{1, &drop_all};
  ::setsockopt(fd_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

}  // namespace ucxx::door::test
