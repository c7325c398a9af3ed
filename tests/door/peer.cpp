// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/peer.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door/child.h"
#include "door/world.h"

extern char** environ;

namespace ucxx::door::test {
namespace {

/// Until the test, which holds the other end of standard input, is gone.
void stayUntilTheTestEnds() {
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  ::_exit(0);
}

pid_t forkChild() {
  const pid_t child = ::fork();
  if (child == 0) stayUntilTheTestEnds();
  return child;
}

constexpr std::pair<Peer::Role, const char*> kRoles[] = {{Peer::Role::Hold, "hold"},
                                                         {Peer::Role::Fork, "fork"},
                                                         {Peer::Role::Share, "share"},
                                                         {Peer::Role::Crowded, "crowded"}};

const char* wordOf(Peer::Role role) {
  return std::find_if(std::begin(kRoles), std::end(kRoles),
                      [&](const auto& each) { return each.first == role; })
      ->second;
}

Peer::Role roleOf(std::string_view name) {
  return std::find_if(std::begin(kRoles), std::end(kRoles),
                      [&](const auto& each) { return each.second == name; })
      ->first;
}

std::string whereIs(const SocketAddress& door) {
  const std::string text = door.toString();
  return door.isUnix() ? text.substr(text.find('@') + 1) : std::to_string(door.port());
}

SocketAddress addressOf(const std::string& where) {
  if (where.size() != 32) return farLoopback(static_cast<std::uint16_t>(std::stoi(where)));
  return unixAddress(
      {std::stoull(where.substr(0, 16), nullptr, 16), std::stoull(where.substr(16), nullptr, 16)});
}

Descriptors thingsToShare() {
  Descriptors things;
  things.emplace_back(::memfd_create("peer", MFD_CLOEXEC));
  things.emplace_back(::eventfd(1, EFD_CLOEXEC));
  EXPECT_EQ(::write(things.at(0).get(), kShared.data(), kShared.size()), std::ssize(kShared));
  return things;
}

bool callFrom(World& world, Peer::Role role, const SocketAddress& door) {
  Owner& owner = world.add();
  owner.call(door, 10s, role == Peer::Role::Share ? thingsToShare() : Descriptors());
  if (!world.runUntil([&] { return owner.welcomes.size() == 1; })) return false;
  if (role != Peer::Role::Share) return true;
  return ::eventfd_write(owner.welcomed_with.at(0).at(0).get(), 1) == 0;
}

/// Descriptors on their way to nobody: as many as the kernel allows to a user without privileges.
class Crowd {
 public:
  Crowd() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_), 0);
    const Raw sender(::fcntl(ends_[0], F_DUPFD_CLOEXEC, 0));
    while (sender.sendWith(std::as_bytes(std::span("x", 1)), std::vector<int>(8, ends_[0]))) {
    }
    EXPECT_EQ(errno, ETOOMANYREFS);
  }
  ~Crowd() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

 private:
  int ends_[2] = {-1, -1};
};

bool becomeNobodyWithFewDescriptors() {
  const rlimit few{64, 64};
  return ::setrlimit(RLIMIT_NOFILE, &few) == 0 && (::geteuid() != 0 || ::setuid(kNobody) == 0);
}

/// Neither a hello nor a welcome with a descriptor can be sent in the crowd: both wait for its end.
bool waitOutCrowds(World& world) {
  if (!becomeNobodyWithFewDescriptors()) return false;
  Owner& server = world.add();
  Owner& client = world.add();
  const auto address = server.listen(Family::Unix);
  const auto is_called_again = [&] { return server.door->counters().accepted >= 3; };
  const auto is_asked_again = [&] { return server.asked.size() >= 3; };
  const base::FileDescriptor event(::eventfd(0, EFD_CLOEXEC));
  {
    const Crowd crowd;
    Descriptors one;
    one.emplace_back(::eventfd(0, EFD_CLOEXEC));
    client.call(address, 10s, std::move(one));
    if (!world.runUntil(is_called_again) || !server.asked.empty()) return false;
  }
  if (!world.runUntil([&] { return client.welcomes.size() == 1; })) return false;
  server.enclosed = {event.get()};
  {
    const Crowd crowd;
    client.call(address);
    if (!world.runUntil(is_asked_again) || client.events() != 1) return false;
  }
  return world.runUntil([&] { return client.welcomes.size() == 2; });
}

}  // namespace

int runPeer(const std::string& role, const std::string& where) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a crashed test leaves nothing behind
  World world;
  const Peer::Role as = roleOf(role);
  const bool done =
      as == Peer::Role::Crowded ? waitOutCrowds(world) : callFrom(world, as, addressOf(where));
  if (!done) return 1;
  const pid_t ready = as == Peer::Role::Fork ? forkChild() : ::getpid();
  if (::write(STDOUT_FILENO, &ready, sizeof ready) != sizeof ready) return 1;
  world.runFor(60s);
  return 0;
}

Peer::Peer(Role role, const SocketAddress& door) {
  int input[2];
  int output[2];
  EXPECT_EQ(::pipe2(input, O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(output, O_CLOEXEC | O_NONBLOCK), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::string words[] = {"peer", "--peer", wordOf(role), whereIs(door)};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  EXPECT_EQ(::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments, environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  to_peer_ = input[1];
  from_peer_ = output[0];
}

Peer::~Peer() {
  ::close(to_peer_);
  ::close(from_peer_);
  signal(SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Peer::isReady() {
  return child_ != 0 || ::read(from_peer_, &child_, sizeof child_) == sizeof child_;
}

void Peer::signal(int number) const { ::kill(pid_, number); }

void Peer::waitUntilStopped() const {
  int status = 0;
  EXPECT_EQ(::waitpid(pid_, &status, WUNTRACED), pid_);
  EXPECT_TRUE(WIFSTOPPED(status));
}

bool Peer::childIsAlive() const { return ::kill(child_, 0) == 0; }

}  // namespace ucxx::door::test

// Instead of GoogleTest's own main: this program is also the peers.
int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--peer") {
    return ucxx::door::test::runPeer(argv[2], argv[3]);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
