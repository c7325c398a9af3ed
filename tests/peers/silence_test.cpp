// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Peers that are silent for a while, processes that fork, signals, and a shortage of descriptors.

#include <algorithm>
#include <csignal>
#include <deque>

#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers/server.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// Stops a child of ours, as a debugger that attaches to it does, until it detaches.
class Debugger {
 public:
  explicit Debugger(pid_t pid) : pid_(pid) {
    int status = 0;
    attached_ = ::ptrace(PTRACE_ATTACH, pid, nullptr, nullptr) == 0 &&
                ::waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status);
  }
  ~Debugger() { ::ptrace(PTRACE_DETACH, pid_, nullptr, nullptr); }
  Debugger(const Debugger&) = delete;
  Debugger& operator=(const Debugger&) = delete;
  bool isAttached() const { return attached_; }

 private:
  const pid_t pid_;
  bool attached_ = false;
};

/// Two peers of one worker, with payloads that are announced and messages that come in the ring.
class SilenceTest : public testing::TestWithParam<std::tuple<Mode, bool>> {
 protected:
  struct Peer {
    Peer(Server& server, const Flow& flow)
        : process(server.caller(flow)), endpoint(server.next()), end(endpoint, flow, !flow.push) {}
    Process process;
    std::shared_ptr<Endpoint> endpoint;
    FlowEnd end;
    std::size_t before = 0;
  };

  void SetUp() override {
    for (const Flow flow : {Flow{Move::Tag, 1 << 20, std::get<1>(GetParam())},
                            Flow{Move::Am, 1000, std::get<1>(GetParam())}}) {
      Peer& peer = peers.emplace_back(server, flow);
      ASSERT_NE(peer.endpoint, nullptr);
    }
    expectFlows();
  }
  void turn() {
    for (Peer& peer : peers) peer.end.turn();
  }
  void expectFlows() {
    for (Peer& peer : peers) peer.before = peer.end.count();
    ASSERT_TRUE(server.until([&] {
      turn();
      return std::ranges::all_of(peers, [](const Peer& peer) {
        return peer.end.count() > peer.before + 10 || peer.end.status() != UCS_OK;
      });
    })) << server.worker->describe();
    for (Peer& peer : peers) {
      EXPECT_EQ(peer.end.status(), UCS_OK);
      EXPECT_TRUE(peer.end.isRight());
      EXPECT_TRUE(peer.endpoint->isAlive());
    }
  }
  void wait(std::chrono::milliseconds time) {
    const auto until = Clock::now() + time;
    (void)server.until([&] { return turn(), Clock::now() > until; });
  }

  Server server{std::get<0>(GetParam())};
  std::deque<Peer> peers;
};

TEST_P(SilenceTest, StoppedPeersAreSlow) {
  for (Peer& peer : peers) peer.process.signal(SIGSTOP);
  wait(1500ms);
  for (Peer& peer : peers) peer.process.signal(SIGCONT);
  expectFlows();
}

TEST_P(SilenceTest, PeersUnderADebuggerAreSlow) {
  std::deque<Debugger> debuggers;
  for (Peer& peer : peers) {
    if (!debuggers.emplace_back(peer.process.pid()).isAttached())
      GTEST_SKIP() << "processes cannot be debugged here";
  }
  wait(1500ms);
  debuggers.clear();
  expectFlows();
}

TEST_P(SilenceTest, ComputingPeersAreSlow) {
  for (Peer& peer : peers) peer.process.tell('c');
  wait(2000ms);
  expectFlows();
}

INSTANTIATE_TEST_SUITE_P(All, SilenceTest,
                         testing::Combine(testing::Values(Mode::Caller, Mode::Adaptive),
                                          testing::Bool()),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "Push" : "Pull");
                         });

/// Runs `work` in a forked child; its result is what the child exits with.
template <class Work>
int inChild(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

template <class Call>
bool failsClearly(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return std::string(error.what()).find("fork") != std::string::npos;
  }
  return false;
}

class ForkTest : public testing::TestWithParam<Mode> {
 protected:
  void expectWorks(Ends& ends) {
    Received none;
    for (const std::size_t size : {100, 1 << 20}) {
      Sending sending(Move::Tag, *ends.left, bytes(size));
      Receiving receiving(Move::Tag, *ends.right, size, none);
      ASSERT_TRUE(ends.ended({sending.request, receiving.request}));
      EXPECT_TRUE(receiving.payload() == sending.payload());
    }
  }
};

TEST_P(ForkTest, ChildGetsAClearErrorAndParentGoesOn) {
  Ends ends(Route::Listener, GetParam());
  expectWorks(ends);
  EXPECT_EQ(inChild([&] {
              ::alarm(10);
              char byte = 0;
              int wrong = 0;
              wrong |= failsClearly([&] { ends.left->tagSend(&byte, 1, Tag{1}); }) ? 0 : 1;
              wrong |= failsClearly([&] {
                ends.left_worker->createListener(
                    0, [](ucp_conn_request_h, void*) {}, nullptr);
              })
                           ? 0
                           : 2;
              wrong |= failsClearly([&] {
                ends.left_worker->createEndpointFromWorkerAddress(ends.left_worker->getAddress());
              })
                           ? 0
                           : 4;
              wrong |= failsClearly([&] { ends.left_worker->tagProbe(Tag{1}); }) ? 0 : 8;
              wrong |= failsClearly([&] { ends.left_worker->tagRecv(&byte, 1, Tag{1}); }) ? 0 : 16;
              wrong |= failsClearly([&] { ends.left_worker->progress(); }) ? 0 : 32;
              wrong |= failsClearly([&] { ends.left_worker->startProgressThread(true); }) ? 0 : 64;
              wrong |= failsClearly([&] { ends.left_worker->registerGenericPre([] {}); }) ? 0 : 128;
              return wrong;
            }),
            0);
  expectWorks(ends);
}

TEST_P(ForkTest, ChildsWaitFailsInsteadOfWaiting) {
  Ends ends(Route::Listener, GetParam());
  auto receive = ends.right->tagRecv(nullptr, 0, Tag{3});
  EXPECT_EQ(inChild([&] {
              ::alarm(10);
              return failsClearly([&] { receive->wait(3s); }) ? 7 : 8;
            }),
            7);
  receive->cancel();
  ASSERT_TRUE(ends.ended({receive}));
  expectWorks(ends);
}

TEST_P(ForkTest, ChildWritesNothingIntoForeignDescriptors) {
  Ends ends(Route::Listener, GetParam());
  auto receive = ends.right->tagRecv(nullptr, 0, Tag{3});
  EXPECT_EQ(inChild([&] {
              ::alarm(10);
              std::vector<int> files;  // some take the places of the library's
              for (int i = 0; i < 60; ++i) files.push_back(::memfd_create("foreign", MFD_CLOEXEC));
              try {
                receive->cancel();
              } catch (const Error&) {
              }
              ends.left_worker->signal();
              ends.right_worker->signal();
              int written = 0;
              for (const int file : files) written += ::lseek(file, 0, SEEK_END) != 0;
              return written;
            }),
            0);
  receive->cancel();
  ASSERT_TRUE(ends.ended({receive}));
  expectWorks(ends);
}

TEST_P(ForkTest, ChildMayDropEverything) {
  Ends ends(Route::Listener, GetParam());
  expectWorks(ends);
  if (GetParam() != Mode::Event) {
    EXPECT_EQ(inChild([&] {
                ::alarm(10);
                ends.left = ends.right = nullptr;
                ends.listener = nullptr;
                ends.left_worker = ends.right_worker = nullptr;
                ends.context = nullptr;
                return 7;
              }),
              7);
  }
  expectWorks(ends);
}

TEST_P(ForkTest, ChildMayExec) {
  Ends ends(Route::Listener, GetParam());
  expectWorks(ends);
  EXPECT_EQ(inChild([] { return ::execl("/bin/true", "true", nullptr), 1; }), 0);
  expectWorks(ends);
}

TEST_P(ForkTest, ChildMayExitNormally) {
  Ends ends(Route::Listener, GetParam());
  expectWorks(ends);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    ::quick_exit(5);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 5);
  expectWorks(ends);
}

INSTANTIATE_TEST_SUITE_P(All, ForkTest, testing::Values(Mode::Caller, Mode::Event, Mode::Adaptive),
                         [](const auto& info) { return nameOf(info.param); });

TEST(ForkedPeerTest, DeathOfAParentIsSeenThoughItsChildLives) {
  const Flow flow{Move::Tag, 1000, true};
  Server server(Mode::Caller);
  Process victim(server.caller(flow));
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  FlowEnd end(endpoint, flow, false);
  ASSERT_TRUE(server.until([&] { return end.turn(), end.count() > 5; }));
  victim.tell('f');
  ASSERT_EQ(victim.line(), "ready");
  ASSERT_EQ(victim.line(), "forked");
  victim.signal(SIGKILL);
  EXPECT_TRUE(server.until([&] { return end.turn(), end.status() != UCS_OK; }, 2s));
}

TEST(ForkedPeerTest, CallbackOfAFailureMayFork) {
  Server server(Mode::Caller);
  Process victim(server.caller({Move::Tag, 0, true}));
  auto endpoint = server.next();
  ASSERT_NE(endpoint, nullptr);
  int status = -1;
  bool is_child = false;
  auto receive = endpoint->amRecv(false, [&](ucs_status_t, std::shared_ptr<void>) {
    const pid_t child = ::fork();
    is_child = child == 0;
    ::alarm(is_child ? 10 : 0);
    if (!is_child) ::waitpid(child, &status, 0);
  });
  victim.signal(SIGKILL);
  try {
    const compat::Deadline deadline;
    while (!receive->isCompleted() && deadline) server.worker->progress();
    server.worker->progress();
  } catch (const Error&) {
    if (is_child) ::_exit(0);
    throw;
  }
  if (is_child) ::_exit(1);
  EXPECT_EQ(status, 0);
}

TEST(SignalTest, DispositionsAreAsBefore) {
  Process process({"signals"});
  EXPECT_EQ(process.line(), "as before");
  EXPECT_EQ(process.wait(), 0);
}

TEST(SignalTest, SignalsDuringWaits) {
  struct sigaction action {};
  action.sa_handler = [](int) {};  // without SA_RESTART
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, 1000}, {0, 1000}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  for (const Mode mode : {Mode::Event, Mode::Blocking, Mode::Adaptive, Mode::Caller}) {
    Ends ends(Route::Listener, mode);
    Received none;
    for (unsigned i = 0; i < 50; ++i) {
      const std::size_t size = i % 5 == 0 ? 4 << 20 : 1000;
      Sending sending(Move::Tag, *ends.left, bytes(size, i));
      Receiving receiving(Move::Tag, *ends.right, size, none);
      ASSERT_TRUE(ends.ended({sending.request, receiving.request})) << nameOf(mode);
      ASSERT_TRUE(receiving.payload() == sending.payload());
    }
  }
  const itimerval never{};
  ::setitimer(ITIMER_REAL, &never, nullptr);
}

TEST(ShortageTest, TooFewDescriptorsAreAnErrorAndNoMore) {
  Process process({"descriptors"});
  const std::string works = process.line(40s);
  EXPECT_EQ(works.substr(0, 5), "works") << works;
  EXPECT_NE(works, "works 0");
  EXPECT_EQ(process.line(40s), "fine");
  EXPECT_EQ(process.wait(), 0);
}

}  // namespace
}  // namespace ucxx::core::test
