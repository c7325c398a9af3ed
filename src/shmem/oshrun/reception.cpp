// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/reception.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "door/descriptor_passing.h"
#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

/// More than any message has. What is longer is cut off, and refused.
constexpr std::size_t kLongest = 1024;

/// What is missing at the end is 0.
template <class Message>
Message as(std::span<const std::byte> bytes) {
  Message message{};
  std::memcpy(&message, bytes.data(), std::min(bytes.size(), sizeof message));
  return message;
}

LaunchMessage kindOf(std::span<const std::byte> bytes) {
  std::uint32_t kind = 0;
  std::memcpy(&kind, bytes.data(), std::min(bytes.size(), sizeof kind));
  return static_cast<LaunchMessage>(kind);
}

/// A PE that is gone gets no answer.
void answer(int socket, const Welcome& welcome, std::span<const int> descriptors) noexcept {
  (void)door::sendWith(socket, std::as_bytes(std::span(&welcome, 1)), descriptors);
}

News nothingRead(const Pe& pe, ssize_t error) {
  if (error == -EAGAIN) return {};
  if (error == -EMFILE)
    return {News::Kind::Refused,
            fmt::format("no descriptor is left for what PE {} has sent (ulimit -n)", pe.number)};
  if (error == -EBADMSG)
    return {News::Kind::Refused,
            fmt::format("PE {} sent oshrun more descriptors than any library of UCXX", pe.number)};
  return {News::Kind::Closed};
}

}  // namespace

News Reception::read(Pe& pe) {
  std::array<std::byte, kLongest> room;
  door::Descriptors descriptors;
  const ssize_t got = door::receiveWith(pe.socket.get(), room, descriptors);
  if (got <= 0) return nothingRead(pe, got);
  News news = take(pe, std::span(room).first(static_cast<std::size_t>(got)));
  if (news.kind == News::Kind::Attached && !descriptors.empty())
    pe.life = std::move(descriptors.front());
  return news;
}

News Reception::take(Pe& pe, std::span<const std::byte> message) {
  const LaunchMessage kind = kindOf(message);
  if (kind == LaunchMessage::Hello && !pe.is_attached)
    return greet(pe, as<Hello>(message), message.size());
  if (kind == LaunchMessage::GlobalExit && message.size() == sizeof(GlobalExit))
    return {News::Kind::GlobalExit, "", as<GlobalExit>(message).status};
  if (kind == LaunchMessage::Hello)
    return {
        News::Kind::Refused,
        fmt::format("a second program of PE {} uses OpenSHMEM, and a PE is one process: start it "
                    "by an oshrun of its own",
                    pe.number)};
  return {News::Kind::Refused,
          fmt::format("PE {} sent oshrun {} bytes that no library of UCXX sends (kind {:#x})",
                      pe.number, message.size(), static_cast<std::uint32_t>(kind))};
}

News Reception::greet(Pe& pe, const Hello& hello, std::size_t bytes) {
  std::string reason = admit(pe, hello, bytes);
  if (!reason.empty()) return {News::Kind::Refused, std::move(reason)};
  Welcome welcome;
  welcome.accepted = 1;
  welcome.layout = memory_.layout();
  const int descriptor = memory_.descriptor();
  answer(pe.socket.get(), welcome, std::span(&descriptor, 1));
  pe.is_attached = true;
  return {News::Kind::Attached};
}

void Reception::refuse(const Pe& pe, const std::string& reason) noexcept {
  Welcome welcome;
  const std::size_t bytes = std::min(reason.size(), sizeof welcome.reason - 1);
  std::memcpy(welcome.reason, reason.data(), bytes);
  answer(pe.socket.get(), welcome, {});
}

/// Why the PE may not take part; empty: it may.
std::string Reception::admit(const Pe& pe, const Hello& hello, std::size_t bytes) {
  std::string reason = admission_.refusal(pe.number, hello, bytes);
  if (!reason.empty() || memory_.isMade()) return reason;
  try {
    memory_.make(pes_, hello.heap_bytes, hello.statics_bytes);
  } catch (const Refusal& refusal) {
    reason = refusal.what();
  }
  return reason;
}

}  // namespace ucxx::shmem::oshrun
