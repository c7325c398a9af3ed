// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/control.h"

#include <cerrno>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/reason.h"

namespace ucxx::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestLine = 1 << 20;

/// Waits until `fd` is ready. False: the time is up.
bool waitFor(int fd, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{fd, events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::max<long>(left, 0)));
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
  }
}

/// 0, or why it failed.
int connectTo(int fd, const addrinfo& address, Clock::time_point deadline) {
  if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!waitFor(fd, POLLOUT, deadline)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

std::pair<Control, Descriptor> Control::pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error("cannot make a socket pair: " + reason(errno));
  return {Control(Descriptor(ends[0])), Descriptor(ends[1])};
}

Control Control::connect(const std::string& host, std::uint16_t port, std::chrono::seconds limit) {
  const auto deadline = Clock::now() + limit;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int wrong = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (wrong != 0)
    throw std::runtime_error(fmt::format("cannot find host '{}': {}", host, ::gai_strerror(wrong)));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
  int error = 0;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    Descriptor socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    error = connectTo(socket.get(), *address, deadline);
    if (error != 0) continue;
    ::fcntl(socket.get(), F_SETFL, 0);
    return Control(std::move(socket));
  }
  throw std::runtime_error(fmt::format(
      "cannot reach a server at {} port {}: {}; start 'ucxx-perftest --server' there first", host,
      port, reason(error)));
}

void Control::send(const nlohmann::json& line) {
  const std::string text = line.dump() + '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::send(fd(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw PeerGone("the peer has gone: " + reason(errno));
    sent += static_cast<std::size_t>(n);
  }
}

/// Reads what is there. False: nothing, and `flags` said not to wait.
bool Control::fill(int flags) {
  char bytes[4096];
  const ssize_t n = ::recv(fd(), bytes, sizeof bytes, flags);
  if (n > 0) received_.append(bytes, static_cast<std::size_t>(n));
  if (n == 0) throw PeerGone("the peer has gone");
  if (n < 0 && errno != EINTR && errno != EAGAIN)
    throw PeerGone("the peer has gone: " + reason(errno));
  if (received_.size() > kLongestLine)
    throw PeerGone("the peer does not speak the protocol of ucxx-perftest");
  return n > 0;
}

nlohmann::json Control::receive(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (!hasLine()) {
    if (!waitFor(fd(), POLLIN, deadline))
      throw std::runtime_error(fmt::format("the peer did not answer within {} ms", limit.count()));
    fill(MSG_DONTWAIT);
  }
  const std::size_t end = received_.find('\n');
  auto line = nlohmann::json::parse(received_.substr(0, end), nullptr, false);
  received_.erase(0, end + 1);
  if (!line.is_object()) throw PeerGone("the peer does not speak the protocol of ucxx-perftest");
  if (line.contains("error")) throw PeerGone("the peer failed: " + line["error"].dump());
  return line;
}

void Control::look() {
  // Who fails says why, and ends: that is one look.
  const auto hear_failure = [this] {
    if (hasLine() && received_.find("\"error\"") < received_.find('\n')) receive({});
  };
  try {
    while (fill(MSG_DONTWAIT)) {
    }
  } catch (const PeerGone&) {
    hear_failure();
    throw;
  }
  hear_failure();  // nothing else is due
}

Acceptor::Acceptor(std::uint16_t port) {
  int error = 0;
  for (const int family : {AF_INET6, AF_INET}) {
    Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1, off = 0;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in6 six{};
    sockaddr_in four{};
    six.sin6_family = AF_INET6;
    four.sin_family = AF_INET;
    six.sin6_port = four.sin_port = htons(port);
    if (family == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    const auto* address =
        family == AF_INET6 ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
    const socklen_t size = family == AF_INET6 ? sizeof six : sizeof four;
    if (::bind(socket.get(), address, size) == 0 && ::listen(socket.get(), 16) == 0) {
      socket_ = std::move(socket);
      return;
    }
    error = errno;
  }
  throw std::runtime_error(fmt::format("cannot listen at port {}: {}", port, reason(error)));
}

std::uint16_t Acceptor::port() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("cannot tell the port: " + reason(errno));
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

Control Acceptor::accept() {
  for (;;) {
    Descriptor socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.get() >= 0) return Control(std::move(socket));
    if (errno != EINTR && errno != ECONNABORTED)
      throw std::runtime_error("cannot accept a client: " + reason(errno));
  }
}

}  // namespace ucxx::tools
