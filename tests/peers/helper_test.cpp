// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A sender that helps to copy its payload, and comes to something between taking a part of it and
// writing it to the receiver's buffer: until it is certain that it will not, the buffer is in use.

#include <csignal>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <optional>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers/server.h"

namespace {

/// Before each copy from the sender, or to the receiver.
std::function<void()> before_read, before_write;

}  // namespace

/// Instead of libc's.
extern "C" __attribute__((visibility("default"))) ssize_t process_vm_readv(
    pid_t pid, const iovec* own, unsigned long owns, const iovec* theirs, unsigned long count,
    unsigned long flags) noexcept {
  if (before_read) before_read();
  return ::syscall(SYS_process_vm_readv, pid, own, owns, theirs, count, flags);
}
extern "C" __attribute__((visibility("default"))) ssize_t process_vm_writev(
    pid_t pid, const iovec* own, unsigned long owns, const iovec* theirs, unsigned long count,
    unsigned long flags) noexcept {
  if (before_write) before_write();
  return ::syscall(SYS_process_vm_writev, pid, own, owns, theirs, count, flags);
}

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSize = 8 << 20;

void say(const char* word) { std::cout << word << std::endl; }

void stayUntilTheTestEnds() {
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

bool isStopped(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  return line.find(") T") != std::string::npos;
}

/// help HOST PORT WHAT: sends a payload, and does what is asked when it helps with it: it stops, or
/// becomes another program (exec), or leaves a child (fork).
int help(const std::vector<std::string>& words) {
  auto worker = createContext()->createWorker();
  auto endpoint =
      worker->createEndpointFromHostname(words[1], static_cast<std::uint16_t>(std::stoi(words[2])));
  std::promise<void> helping;
  before_write = [&, first = true]() mutable {
    if (!std::exchange(first, false)) return;
    if (words[3] == "fork" && ::fork() == 0) {
      stayUntilTheTestEnds();
      ::_exit(0);
    }
    say("helps");
    if (words[3] == "stop") return void(::raise(SIGSTOP));
    helping.set_value();
    for (;;) ::pause();
  };
  worker->startProgressThread({ProgressMode::Polling, {}});
  const auto sent = bytes(kSize);
  auto send = endpoint->tagSend(sent.data(), kSize, kTag);
  if (words[3] == "exec") {
    helping.get_future().wait();
    ::execlp("sleep", "sleep", "1000", nullptr);
  }
  (void)in(compat::kDeadline, [&] { return send->isCompleted(); });
  say(send->getStatus() == UCS_OK ? "sent" : "failed");
  stayUntilTheTestEnds();
  return 0;
}

class HelperTest : public testing::Test {
 protected:
  /// Until it is in the middle of it.
  void receiveFrom(const char* what) {
    helper_.emplace(std::vector<std::string>{"help", "127.0.0.1",
                                             std::to_string(server_.listener->getPort()), what});
    endpoint_ = server_.next();
    ASSERT_NE(endpoint_, nullptr);
    bool helps = false;
    before_read = [&, asked = false]() mutable {
      if (!std::exchange(asked, true)) helps = helper_->line() == "helps";
    };
    receive_ = endpoint_->tagRecv(room_.data(), kSize, kTag);
    (void)server_.until([&] { return helps; });
    before_read = nullptr;
    if (!helps) GTEST_SKIP() << "processes cannot both copy here";
  }
  void turn() {
    for (int i = 0; i < 1000; ++i) server_.worker->progress();
  }
  [[nodiscard]] bool hasEnded() {
    return server_.until([&] { return receive_->isCompleted(); }, 5s);
  }

  Server server_{Mode::Caller, "127.0.0.1", "-", 1 << 20, {{"UCXX_LOCAL_BULK", "copy"}}};
  std::optional<Process> helper_;
  std::shared_ptr<Endpoint> endpoint_;
  std::vector<std::byte> room_ = std::vector<std::byte>(kSize);
  std::shared_ptr<Request> receive_;
};

TEST_F(HelperTest, StoppedOneIsWaitedForAndGoesOn) {
  ASSERT_NO_FATAL_FAILURE(receiveFrom("stop"));
  if (IsSkipped()) return;
  turn();
  EXPECT_FALSE(receive_->isCompleted());
  EXPECT_TRUE(endpoint_->isAlive());
  ASSERT_TRUE(server_.until([&] { return isStopped(helper_->pid()); }));
  helper_->signal(SIGCONT);
  ASSERT_TRUE(hasEnded());
  EXPECT_EQ(receive_->getStatus(), UCS_OK);
  EXPECT_TRUE(room_ == bytes(kSize));
  EXPECT_EQ(helper_->line(), "sent");
}

TEST_F(HelperTest, StoppedOneKeepsTheBufferOfAClosedEndpointUntilItIsKilled) {
  ASSERT_NO_FATAL_FAILURE(receiveFrom("stop"));
  if (IsSkipped()) return;
  auto close = endpoint_->close();
  ASSERT_TRUE(server_.until([&] { return close->isCompleted(); }));
  turn();
  EXPECT_FALSE(receive_->isCompleted());
  helper_->signal(SIGKILL);
  ASSERT_TRUE(hasEnded());
  EXPECT_TRUE(UCS_STATUS_IS_ERR(receive_->getStatus()));
}

TEST_F(HelperTest, OneThatBecomesAnotherProgramIsOver) {
  ASSERT_NO_FATAL_FAILURE(receiveFrom("exec"));
  if (IsSkipped()) return;
  ASSERT_TRUE(hasEnded()) << server_.worker->describe();
  EXPECT_TRUE(UCS_STATUS_IS_ERR(receive_->getStatus()));
  EXPECT_FALSE(endpoint_->isAlive());
}

TEST_F(HelperTest, KilledOneIsOverThoughItsChildLives) {
  ASSERT_NO_FATAL_FAILURE(receiveFrom("fork"));
  if (IsSkipped()) return;
  helper_->signal(SIGKILL);
  ASSERT_TRUE(hasEnded()) << server_.worker->describe();
  EXPECT_TRUE(UCS_STATUS_IS_ERR(receive_->getStatus()));
}

}  // namespace

int runRole(const std::vector<std::string>& words) { return words[0] == "help" ? help(words) : 3; }

}  // namespace ucxx::core::test
