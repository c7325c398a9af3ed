// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/hostile_neighbour.h"

#include <cstring>
#include <utility>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "door/machine_id.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kRingBytes = local::RingMemory::bytesFor(local::RingMemory::kDefaultLines);

}  // namespace

CopyHooks& copyHooks() {
  static CopyHooks hooks;
  return hooks;
}

HostileNeighbour::HostileNeighbour(const base::Id128& local_name, const MakeProcess& process) {
  door::Hello hello;
  hello.worker = kName;
  hello.machine = door::machineId();
  hello.link = 77;
  hello.unexpected_bytes = 1 << 16;
  hello.announcements = kAnnouncements;
  hello.may_be_local = true;
  hello.local_terms = channel_->terms();
  door::Descriptors descriptors;
  for (const int each : channel_->descriptors()) descriptors.push_back(base::duplicate(each));
  constexpr std::size_t kPidfd = 3;  // behind segment, board and bell
  if (process) descriptors.at(kPidfd) = process();
  segment_ = base::SharedMemory::map(base::duplicate(descriptors.front().get()),
                                     local::Channel::kSegmentBytes, local::Channel::kSparseBytes);
  door_.call({door::unixAddress(local_name)}, std::move(hello), std::move(descriptors), this,
             std::chrono::seconds(10));
}

door::Events HostileNeighbour::doorEvents() {
  door::Events events;
  events.owner = this;
  events.onWelcome = [](void* self, door::Call&, const door::Hello& hello,
                        door::Descriptors descriptors, std::unique_ptr<door::Connection> to) {
    static_cast<HostileNeighbour*>(self)->onWelcome(hello, std::move(descriptors), std::move(to));
  };
  events.onCallEnded = [](void*, door::Call&, ucs_status_t status, const door::Refused*) {
    ADD_FAILURE() << "not welcome: " << ucs_status_string(status);
  };
  events.onLost = [](void*, door::Connection&, ucs_status_t) {};
  return events;
}

local::Events HostileNeighbour::hubEvents() {
  local::Events events;
  events.owner = this;
  events.onMessage = [](void* self, void*, std::span<const std::byte> header,
                        std::span<const std::byte> payload) {
    Said said{readHeader(header).value(), {payload.begin(), payload.end()}};
    static_cast<HostileNeighbour*>(self)->heard.push_back(std::move(said));
    return payload.size();
  };
  events.onBroken = [](void*, void*) {};
  events.onDeath = [](void*, void*) {};
  events.hasSleepers = [](void*) { return false; };
  return events;
}

void HostileNeighbour::onWelcome(const door::Hello& hello, door::Descriptors descriptors,
                                 std::unique_ptr<door::Connection> connection) {
  link_ = hello.link;
  board_ =
      base::SharedMemory::map(base::duplicate(descriptors.at(0).get()), sizeof(local::BoardMemory));
  bell_ = base::duplicate(descriptors.at(1).get());
  channel_->join(hello.local_terms, std::move(descriptors));
  channel_->begin(connection->descriptor());
  connection_ = std::move(connection);
}

void HostileNeighbour::progress() {
  poller_.dispatch(0);
  door_.onTime(base::Clock::now());
  if (reads) hub_.progress();
}

WireHeader HostileNeighbour::next(MessageKind kind) noexcept {
  WireHeader header;
  header.kind = kind;
  header.sequence = kind == MessageKind::Piece ? sequence_ : sequence_++;
  return header;
}

void HostileNeighbour::send(const WireHeader& header, std::span<const std::byte> payload) {
  sendBytes(std::as_bytes(std::span(&header, 1)), payload);
}

void HostileNeighbour::sendBytes(std::span<const std::byte> header,
                                 std::span<const std::byte> payload) {
  EXPECT_TRUE(channel_->trySend(header, payload.data(), payload.size())) << "the ring is full";
}

void HostileNeighbour::say(MessageKind kind, std::uint64_t argument) {
  WireHeader header = next(kind);
  header.argument = argument;
  send(header);
}

void HostileNeighbour::help(std::uint64_t number, const HelpTerms& terms) {
  WireHeader header = next(MessageKind::Help);
  header.argument = number;
  terms.write(header);
  send(header);
}

void HostileNeighbour::announce(WireHeader header, std::uint64_t length, std::uint64_t address) {
  header.announces = 1;
  header.length = length;
  send(header, std::as_bytes(std::span(&address, 1)));
}

std::span<std::byte> HostileNeighbour::ownRing() const noexcept {
  return segment().first(kRingBytes);
}

local::RingMemory& HostileNeighbour::workersRing() const noexcept {
  return *reinterpret_cast<local::RingMemory*>(segment().data() + kRingBytes);
}

local::BoardMemory& HostileNeighbour::workersBoard() const noexcept {
  return *reinterpret_cast<local::BoardMemory*>(board_.bytes().data());
}

}  // namespace ucxx::core::test

/// Instead of libc's.
extern "C" ssize_t process_vm_readv(pid_t pid, const iovec* own, unsigned long owns,
                                    const iovec* theirs, unsigned long count,
                                    unsigned long flags) noexcept {
  auto& hooks = ucxx::core::test::copyHooks();
  if (hooks.on_read) hooks.on_read(++hooks.reads);
  return ::syscall(SYS_process_vm_readv, pid, own, owns, theirs, count, flags);
}
extern "C" ssize_t process_vm_writev(pid_t pid, const iovec* own, unsigned long owns,
                                     const iovec* theirs, unsigned long count,
                                     unsigned long flags) noexcept {
  auto& hooks = ucxx::core::test::copyHooks();
  if (hooks.on_write) hooks.on_write(++hooks.writes);
  return ::syscall(SYS_process_vm_writev, pid, own, owns, theirs, count, flags);
}
