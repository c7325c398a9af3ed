// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/faults/raw.h"

#include <cerrno>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>

#include "door/hello.h"

namespace ucxx::faults {
namespace {

sockaddr_in addressOf(std::uint32_t ip, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(ip);
  return address;
}

}  // namespace

tools::Descriptor callRaw(std::uint16_t port, From from, sim::Random& random) {
  tools::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  ::setsockopt(socket.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
  // No port stays taken by what strangers have left.
  const linger at_once{1, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  const auto elsewhere = 0x7f010001u + static_cast<std::uint32_t>(random.below(0xfffd));
  const auto source = addressOf(from == From::Elsewhere ? elsewhere : INADDR_LOOPBACK, 0);
  const auto to = addressOf(INADDR_LOOPBACK, port);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&source), sizeof source) == 0 &&
      (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 ||
       errno == EINPROGRESS))
    return socket;
  return tools::Descriptor();
}

bool sendRaw(const tools::Descriptor& socket, std::span<const std::byte> bytes) {
  return ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 ||
         errno == EAGAIN || errno == ENOTCONN;
}

bool isHungUp(const tools::Descriptor& socket) {
  for (char bytes[4096];;) {
    const ssize_t got = ::recv(socket.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (got > 0) continue;
    return got == 0 || (errno != EAGAIN && errno != ENOTCONN);
  }
}

std::vector<std::byte> helloBytes(sim::Random& random) {
  door::Hello hello;
  for (auto* id : {&hello.worker, &hello.machine})
    for (std::size_t i = 0; i < sizeof *id; ++i)
      reinterpret_cast<unsigned char*>(id)[i] = static_cast<unsigned char>(random.next());
  hello.link = random.next();
  hello.nonce = random.next();
  hello.unexpected_bytes = 1 << 20;
  hello.announcements = 1000;
  return encode(door::FrameKind::Hello, hello);
}

}  // namespace ucxx::faults
